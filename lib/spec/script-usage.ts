/** What foreign code used while it ran. */
export interface ScriptUsage {
  readonly wallMs: number
  /** Of all its processes. Null where it cannot be measured. */
  readonly cpuSeconds: number | null
  readonly peakMemoryBytes: number | null
}
