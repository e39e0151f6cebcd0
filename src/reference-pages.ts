import { describeCommands } from '#src/cli/describe-commands.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { cliPage } from '#src/reference/cli-page.ts';
import { metricsPage } from '#src/reference/metrics-page.ts';
import { environmentSchema } from '#src/config/environment.ts';
import { configSchema } from '#src/config/file-form.ts';
import { environmentPage } from '#src/reference/environment-page.ts';
import { fanfareYamlPage } from '#src/reference/fanfare-yaml/fanfare-yaml-page.ts';
import { referenceFiles } from '#src/reference/reference.ts';
import { httpApiPage, type HttpApi } from '#src/reference/http-api-page.ts';
import { sandboxPages } from '#src/reference/sandbox/sandbox-page.ts';
import { openApi } from '#src/web/api/openapi.ts';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { faultEffects } from '#sandbox/faults.ts';
import { describeWorld } from '#sandbox/reference/describe-world.ts';
import { runExamples } from '#sandbox/reference/run-examples.ts';

/** All generated files of `docs/reference` by name, from the declarations below `root`. */
export async function referencePages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...referenceFiles(root, capabilityTables),
    ['http-api.md', httpApiPage(openApi() satisfies HttpApi)],
    ['metrics.md', metricsPage()],
    ['cli.md', cliPage(describeCommands(await program([], terminal(process))))],
    ['environment.md', environmentPage(environmentSchema())],
    ...sandboxPages({ groups: await runExamples(), faults: faultEffects, world: describeWorld() }),
    ['fanfare-yaml.md', fanfareYamlPage(configSchema())],
  ]);
}
