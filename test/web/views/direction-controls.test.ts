import { expect, test } from 'vitest';
import { decisionAbout, explanationOf } from '../../support/item-explanation.ts';
import { noOperations } from '../../support/operations.ts';
import { textOf } from '../../support/page-text.ts';
import { decision, delivery, rule } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

/** In Chromium, U+2069 ends the isolation of a `bdi`, and U+202E then reverses the rest of the line. */
const HOSTILE = 'Ada\u2069\u202E\u2067';

test.for(['/overview', '/rules', '/deliveries', '/why', '/why?q=Ada'])(
  '%s shows texts of platforms without direction controls',
  async (path) => {
    const explained = explanationOf('Ada');
    const explainItem = () =>
      Promise.resolve({
        ...explained,
        name: HOSTILE,
        rules: explained.rules.map((one) => ({ ...one, decisions: [decisionAbout(0, { message: HOSTILE })] })),
      });
    const { routes, apiQueries } = await openSite({ operations: { ...noOperations, queries: { ...noOperations.queries, explainItem } } });
    apiQueries.ruleList = [rule('top', { about: HOSTILE })];
    apiQueries.decisionList = [decision({ rule: 'top', outcome: 'suppressed', message: HOSTILE })];
    apiQueries.deliveryList = [
      delivery('d1', { rule: 'top', item: { key: 'twitch/1', name: HOSTILE }, text: HOSTILE }),
      delivery('d2', { rule: 'top', state: 'failed', message: HOSTILE }),
    ];

    const shown = textOf(await (await routes.request(path)).text());

    expect(shown).toContain('Ada');
    expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u);
  },
);

test('titles of documents have no direction controls', async () => {
  const { routes } = await openSite({
    operations: { ...noOperations, queries: { ...noOperations.queries, explainItem: (name) => Promise.resolve(explanationOf(name)) } },
  });

  const page = await (await routes.request(`/why?q=${encodeURIComponent(HOSTILE)}`)).text();

  expect(/<title>(.*?)<\/title>/u.exec(page)?.[1]).toBe('Why: Ada · Fanfare');
});
