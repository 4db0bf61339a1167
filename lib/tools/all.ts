/** Every built-in tool, one line each. */
export { calculate } from './calculate'
export { executeSql } from './execute-sql'
export { listColumns } from './list-columns'
export { listTables } from './list-tables'
export { timeNow } from './time-now'
