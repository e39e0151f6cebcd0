import { DatabaseSync } from 'node:sqlite';

/** The statements since the count began. */
export interface StatementCount extends Disposable {
  readonly statements: number;
  readonly commits: number;
}

/** Counts the statements of all SQLite databases of this process until disposal. */
export function countStatements(): StatementCount {
  const counted = { statements: 0, commits: 0 };
  // The prototype of statements is reachable only through a statement.
  using database = new DatabaseSync(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as { run: Run; all: Run; get: Run }; // the methods of StatementSync
  const { run, all, get } = prototype;
  function counting(method: Run): Run {
    return function (this: { readonly sourceSQL: string }, ...values) {
      counted.statements += 1;
      if (this.sourceSQL === 'commit') counted.commits += 1;
      return method.apply(this, values);
    };
  }
  Object.assign(prototype, { run: counting(run), all: counting(all), get: counting(get) });
  return {
    get statements() {
      return counted.statements;
    },
    get commits() {
      return counted.commits;
    },
    [Symbol.dispose]: () => void Object.assign(prototype, { run, all, get }),
  };
}

type Run = (this: { readonly sourceSQL: string }, ...values: unknown[]) => unknown;
