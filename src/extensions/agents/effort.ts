/** How much work a sub-agent may put into its task (MAIA §20.3). Data. */
export const EFFORTS = ["low", "medium", "high"] as const
export type Effort = (typeof EFFORTS)[number]

/** Model calls. */
export const ITERATIONS: Readonly<Record<Effort, number>> = { low: 10, medium: 25, high: 50 }
