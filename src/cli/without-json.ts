/** The commands without `--json`, and why they have none. */
export const WITHOUT_JSON: Readonly<Record<string, string>> = {
  start: 'It runs until you stop it. The HTTP API has the state as JSON.',
  sandbox: 'It runs until you stop it, and prints lines for a `.env` file.',
  auth: 'It asks a person questions.',
  schema: 'Its output is a JSON Schema.',
  completion: 'It prints a script, and words for a shell.',
  bench: 'It runs the benchmarks, which print their progress.',
};
