/** A statement that runs so often is planned once per connection: its plan takes longer than its execution. */
const REPEATS = 5;
/** Each connection keeps the plans, which take some kilobytes each. */
const MOST_NAMES = 200;
const MOST_COUNTED = 1_000;
/** A longer text has one value for each of many rows, and rarely comes again. */
const MOST_CHARACTERS = 4_000;

/** Gives names to the statements that this process repeats. A connection prepares a statement with a name. */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const name = names.get(text);
    // A newer version may add columns while this process runs, and PostgreSQL refuses a prepared list of all columns then.
    if (name !== undefined || names.size === MOST_NAMES || text.length > MOST_CHARACTERS || text.includes('*')) return name;
    const count = (counts.get(text) ?? 0) + 1;
    if (counts.size === MOST_COUNTED) counts.clear();
    if (count < REPEATS) counts.set(text, count);
    else {
      counts.delete(text);
      names.set(text, `often_${names.size + 1}`);
    }
    return names.get(text);
  };
}
