/** `maia trust list|revoke` (spec 03): the folders whose `.maia` may allow and run things. */
import { Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { text } from "../../domain/text.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import type { TrustError } from "../../permissions/trust/trustFile.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface TrustFlags {
  readonly cwd: string | undefined
}

const withTrust = <R>(flags: TrustFlags, use: Effect.Effect<number, TrustError, R>) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const layer = FolderTrust.layer().pipe(Layer.provideMerge(Layer.succeed(Config, Config.of(config))))
      return yield* use.pipe(
        Effect.provide(layer),
        Effect.catchTag("TrustError", (error) => Effect.as(reportErrors([error.text]), EXIT.error))
      )
    })
  )

export const listTrusted = (flags: TrustFlags & { readonly json: boolean }) =>
  withTrust(
    flags,
    Effect.gen(function* () {
      const trust = yield* FolderTrust
      const output = yield* Output
      const folders = yield* trust.list
      if (flags.json) {
        yield* output.out(`${JSON.stringify(folders)}\n`)
        return EXIT.done
      }
      for (const { folder, trustedAt } of folders) {
        yield* output.out(sanitizeForTerminal(`${trustedAt.slice(0, 16).replace("T", " ")}  ${folder}`) + "\n")
      }
      return EXIT.done
    })
  )

export const revokeTrust = (flags: TrustFlags & { readonly folder: string }) =>
  withTrust(
    flags,
    Effect.gen(function* () {
      const trust = yield* FolderTrust
      if (yield* trust.revoke(flags.folder)) return EXIT.done
      yield* reportErrors([
        text(
          `${flags.folder} is not trusted. "maia trust list" shows the folders that are.`,
          `${flags.folder} n'est pas considéré comme fiable. « maia trust list » montre les dossiers qui le sont.`
        )
      ])
      return EXIT.error
    })
  )
