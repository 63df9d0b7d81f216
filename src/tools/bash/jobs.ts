/** Words about background jobs that BashOutput and KillBash share. Pure. */
import { ToolFailure } from "../../domain/tool.ts"
import type { Job, UnknownJob } from "../../process/BackgroundJobs.ts"
import { describeStatus } from "../../process/shellStatus.ts"

export const jobAliases = ["bash_id", "job_id", "shell_id", "task_id", "job"]

/** The last line or lines about a job. */
export const jobState = ({ status, notes }: Job): string => {
  if (status === undefined) return "[still running]"
  return [...notes, status.kind === "interrupted" ? "[ended by KillBash]" : describeStatus(status).en].join("\n")
}

export const unknownJob = ({ id, known }: UnknownJob): ToolFailure =>
  new ToolFailure({
    message:
      known.length === 0
        ? `There is no background job ${JSON.stringify(id)}: none was started. Start one with Bash and run_in_background.`
        : `There is no background job ${JSON.stringify(id)}. Known jobs: ${known.join(", ")}.`
  })
