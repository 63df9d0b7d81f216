/** What completion offers (spec 07 "Input"). Data only. */

export interface Candidate {
  /** As shown; safe to draw, one line. */
  readonly label: string
  /** Shown dimmed behind the label; safe to draw, one line. */
  readonly detail?: string
  /** UTF-16 offsets of the label that the query matched. */
  readonly matched: ReadonlyArray<number>
  /** What the token becomes, sigil and quotes included. */
  readonly insert: string
  /** A folder: completion goes on in it. */
  readonly continues: boolean
}
