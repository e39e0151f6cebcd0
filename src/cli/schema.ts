import { Option, type Command } from 'commander';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  document(program.command('schema'), {
    group: 'rules',
    summary: 'Print the JSON Schema of rule files',
    description: [
      'Print the JSON Schema of rule files, of list files or of fanfare.yaml. Editors use it for completion and checks.',
      'fanfare init writes the schemas and the settings for VS Code. For other editors, save the schema in a file.',
    ],
    examples: [
      ['Save the schema of rule files', 'fanfare schema > rule.schema.json'],
      ['Save the schema of list files', 'fanfare schema --list > list.schema.json'],
      ['Save the schema of fanfare.yaml', 'fanfare schema --config > fanfare.schema.json'],
    ],
    exits: ['The schema was printed', 'The schema cannot be printed'],
  })
    .option('--config', 'Print the schema of fanfare.yaml instead')
    .addOption(new Option('--list', 'Print the schema of list files instead').conflicts('config'))
    .action(async ({ config, list }: { readonly config?: boolean; readonly list?: boolean }) => {
      const { openRules } = await import('#src/app/open-rules.ts');
      const { configSchema } = await import('#src/config/fanfare-file.ts');
      // The schema of fanfare.yaml must not depend on a valid fanfare.yaml.
      const rules = config ? undefined : openRules(process.env);
      out.print(JSON.stringify(rules ? (list ? rules.listSchema() : rules.schema()) : configSchema(), undefined, 2));
    });
}
