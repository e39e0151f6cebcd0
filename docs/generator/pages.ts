import { describeAnswers } from '#src/cli/describe-answers.ts';
import { FailureAnswer } from '#src/cli/print-failure.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { WITHOUT_JSON } from '#src/cli/without-json.ts';
import { callSignatures, type ReadCalls } from './call-signature.ts';
import { cliJsonPage } from './cli-json-page.ts';
import { cliPage } from './cli/cli-page.ts';
import { describeCommands } from './cli/describe-commands.ts';
import { metricsPage } from './metrics-page.ts';
import { environmentSchema } from '#src/config/environment.ts';
import { configSchema } from '#src/config/fanfare-file.ts';
import { environmentPage } from './environment-page.ts';
import { wishesPage } from './wishes/wishes-page.ts';
import { outcomesPage } from './discord-outcomes/outcomes-page.ts';
import { fanfareYamlPage } from './fanfare-yaml/fanfare-yaml-page.ts';
import { referenceFiles } from './reference.ts';
import { httpApiPage, type HttpApi } from './http-api-page.ts';
import { sandboxPages } from './sandbox/sandbox-page.ts';
import { describeApi } from '#src/web/api/description.ts';
import { RECORDS } from '#src/web/api/records.ts';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { faultEffects } from '#sandbox/faults.ts';
import { describeWorld } from './sandbox/describe-world.ts';
import { runExamples } from './sandbox/run-examples.ts';

/** All generated files of `docs/reference` by name, from the declarations below `root`. `readCalls` reads the signatures of methods. */
export async function referencePages(root: string, readCalls: ReadCalls = callSignatures): Promise<ReadonlyMap<string, string>> {
  const fanfare = await program([], terminal(process));
  return new Map([
    ...referenceFiles(root, { capabilityTables, readCalls }),
    ['http-api.md', httpApiPage(describeApi() satisfies HttpApi)],
    ['metrics.md', metricsPage()],
    ['cli.md', cliPage(describeCommands(fanfare))],
    ['cli-json.md', cliJsonPage({ answers: describeAnswers(fanfare), failure: FailureAnswer, without: WITHOUT_JSON, records: RECORDS })],
    ['environment.md', environmentPage(environmentSchema())],
    ...sandboxPages({ groups: await runExamples(), faults: faultEffects, world: describeWorld() }),
    ['discord-outcomes.md', outcomesPage()],
    ['wishes.md', wishesPage(root)],
    ['fanfare-yaml.md', fanfareYamlPage(configSchema())],
  ]);
}
