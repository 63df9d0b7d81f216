/** All tasks, in the order they are run and shown. */
import type { EvalTask } from "../task.ts"
import { changeTasks } from "./change.ts"
import { findTasks } from "./find.ts"
import { makeTasks } from "./make.ts"

export const allTasks: ReadonlyArray<EvalTask> = [...changeTasks, ...findTasks, ...makeTasks]
