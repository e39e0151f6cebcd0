import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { makeFolder } from '#src/config/make-folder.ts';
import { openConfig } from '#src/config/open-config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import type { Scaffold } from '#src/admin/scaffold/answers.ts';
import { draftRule } from '#src/admin/scaffold/draft-rule.ts';
import { draftTest } from '#src/admin/scaffold/draft-test.ts';
import { sourceToWrite } from '#src/admin/scaffold/source-to-write.ts';
import { writeAllNew } from '#src/admin/scaffold/write-new.ts';

/** The scaffold for the rules folder of the installation that `environment` describes. */
export function openScaffold(environment: Readonly<Record<string, string | undefined>>): Scaffold {
  const config = openConfig(environment);
  const accounts = accountsOf(config);
  const fileOf = (id: string): string => join(config.rulesDirectory, `${id}.yaml`).replaceAll('\\', '/');
  return {
    accountsFor: (client) => accounts[client] ?? { all: [], defaults: [] },

    isTaken: (id) =>
      stat(fileOf(id)).then(
        () => true,
        () => false,
      ),

    draft(answers) {
      const [file, rule] = [fileOf(answers.id), sourceToWrite(draftRule(answers), config)];
      const { diagnostics } = checkRule({ file, source: rule, catalogue, accounts, isOn: isOnIn(config) });
      return { file, rule, testFile: file.replace(/\.yaml$/u, '.test.yaml'), test: draftTest(answers), diagnostics };
    },

    async write({ file, rule, testFile, test }) {
      makeFolder(dirname(file), 0o777);
      // The tests first, because a rule runs as soon as its file exists.
      await writeAllNew([
        { file: testFile, text: test },
        { file, text: rule },
      ]);
    },
  };
}
