import type { Command } from 'commander';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `schema`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('schema'), {
    group: 'rules',
    summary: 'Print the JSON Schema of rule files',
    description: [
      'Print the JSON Schema of rule files or of fanfare.yaml. Editors use it for completion and checks.',
      'fanfare init writes both schemas and the settings for VS Code. For other editors, save the schema in a file.',
    ],
    examples: [
      ['Save the schema of rule files', 'fanfare schema > rule.schema.json'],
      ['Save the schema of fanfare.yaml', 'fanfare schema --config > fanfare.schema.json'],
    ],
    exits: ['The schema was printed', 'The schema cannot be printed'],
  })
    .option('--config', 'Print the schema of fanfare.yaml instead')
    .action(async ({ config }: { readonly config?: boolean }) => {
      const { openRules } = await import('#src/app/open-rules.ts');
      const { configSchema } = await import('#src/config/file-form.ts');
      // The schema of fanfare.yaml must not depend on a valid fanfare.yaml.
      out.print(JSON.stringify(config ? configSchema() : openRules(process.env).schema(), undefined, 2));
    });
}
