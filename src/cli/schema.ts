import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Declares the command `schema`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('schema')
    .description('print the JSON Schema of rule files, for editors')
    .option('--config', 'print the schema of fanfare.yaml instead')
    .action(async ({ config }: { readonly config?: boolean }) => {
      const { openRules } = await import('#src/app/open-rules.ts');
      const { configSchema } = await import('#src/config/file-form.ts');
      // The schema of fanfare.yaml must not depend on a valid fanfare.yaml.
      out.print(JSON.stringify(config ? configSchema() : openRules(process.env).schema(), undefined, 2));
    });
}
