/** Lets PostgreSQL read a statement and name its columns without running it: Parse and Describe of its protocol. */
import type { Connection, Submittable } from 'pg'

interface Outcome {
  resolve(columns: string[]): void
  reject(error: Error): void
}

/** A request in the form that the driver's client takes; it calls these methods as the answers come. */
export class StatementDescription implements Submittable {
  private columns: string[] = []

  constructor(
    private readonly text: string,
    private readonly outcome: Outcome,
  ) {}

  submit(connection: Connection): void {
    connection.parse({ text: this.text, name: '', types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: readonly { name: string }[] }): void {
    this.columns = fields.map(({ name }) => name)
  }

  handleError(error: Error): void {
    this.outcome.reject(error)
  }

  handleReadyForQuery(): void {
    this.outcome.resolve(this.columns)
  }
}
