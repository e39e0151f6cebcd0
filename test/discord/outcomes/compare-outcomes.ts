import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Group } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import { rowsOf } from '../../../docs/generator/discord-outcomes/outcomes-page.ts';
import { USES } from './all-uses.ts';
import { openFixture } from './fixture.ts';
import { runAll } from './run-all.ts';

/** Writes what happened into the table, to be reviewed as a change of it. */
const isRecording = process.env['FANFARE_RECORD_OUTCOMES'] !== undefined;

/** Compares the outcomes of groups with the table. Two files have half of the groups each, because each group waits for a minute. */
export function compareOutcomes(groups: readonly Group[]): void {
  test.for(groups)('the outcomes of the group %s are those of the table', async (group) => {
    await using fixture = await openFixture();

    const rows = await runAll(fixture, USES[group]);

    if (isRecording) writeFileSync(`docs/generator/discord-outcomes/${group}.yaml`, stringify(rows, { lineWidth: 0 }));
    expect(rows).toEqual(rowsOf(group));
  });
}
