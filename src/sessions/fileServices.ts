/**
 * The two services that session code keeps to run its effects later. `Effect.context` would keep all the rest as well, the
 * scope of whoever built the service first of all: sessions would then stay open, and locked, for as long as the service.
 */
import { Context, Effect, FileSystem, Path } from "effect"

export const fileServices: Effect.Effect<
  Context.Context<FileSystem.FileSystem | Path.Path>,
  never,
  FileSystem.FileSystem | Path.Path
> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return Context.make(FileSystem.FileSystem, fs).pipe(Context.add(Path.Path, path))
})
