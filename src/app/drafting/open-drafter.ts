import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Problem } from '#src/rules/problem.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '../catalogue.ts';
import { openConfig } from '../configuration/open-config.ts';
import { isOn } from '../is-on.ts';
import type { DraftAnswers } from './answers.ts';
import { draftRule } from './draft-rule.ts';
import { draftTest } from './draft-test.ts';
import { sourceToWrite } from './source-to-write.ts';
import { writeNew } from './write-new.ts';

/** A rule that its author asked for, and its tests: not written yet. */
interface Draft {
  readonly file: string;
  readonly rule: string;
  readonly testFile: string;
  readonly test: string;
  /** What `check` says of it. */
  readonly problems: readonly Problem[];
}

/** Makes rules from answers. */
export interface Drafter {
  /** The accounts that could read what a rule watches or say what happens, by the first word of a verb; the defaults first. */
  accountsFor(client: 'streaming' | 'social' | 'discord'): { readonly all: readonly string[]; readonly defaults: readonly string[] };
  /** Whether there is a file of this name already. */
  isTaken(id: string): Promise<boolean>;
  draft(answers: DraftAnswers): Draft;
  /** Writes both files; neither is ever written over. */
  write(draft: Draft): Promise<void>;
}

/** A drafter for the rules folder of the installation that `environment` describes. */
export function openDrafter(environment: Readonly<Record<string, string | undefined>>): Drafter {
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
      const { problems } = checkRule({ file, source: rule, catalogue, accounts, isOn: (drafted) => isOn(drafted, config) });
      return { file, rule, testFile: file.replace(/\.yaml$/u, '.test.yaml'), test: draftTest(answers), problems };
    },

    async write({ file, rule, testFile, test }) {
      await mkdir(dirname(file), { recursive: true });
      // The tests first: a rule runs from the moment it is there.
      await writeNew(testFile, test);
      await writeNew(file, rule);
    },
  };
}
