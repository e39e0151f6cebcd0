import { expect, test } from 'vitest';
import { decisionAbout, explanationOf } from '../../support/item-explanation.ts';
import { noOperations } from '../../support/operations.ts';
import { textOf } from '../../support/page-text.ts';
import { decision, delivery, message, NOW, person, post, rule, stream } from '../../support/view-records.ts';
import { renderToString } from '#src/web/view-pages/render-to-string.mjs';
import { html } from '#src/web/views/html.ts';
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

test('the demonstration shows texts of platforms without direction controls, also to screen readers', async () => {
  const { routes, apiQueries } = await openSite({ sandboxOrigin: 'http://127.0.0.1:1' });
  const owner = person(HOSTILE);
  apiQueries.streams = [stream('s1', { owner, title: HOSTILE })];
  apiQueries.timeline = [post('p1', { author: owner, text: HOSTILE })];
  const embeds = [
    { title: HOSTILE, description: `**${HOSTILE}**`, author: { name: HOSTILE }, fields: [{ name: HOSTILE, value: HOSTILE }] },
  ];
  apiQueries.channelMessages = [message('m1', { content: HOSTILE, embeds, createdAt: NOW, buttons: [HOSTILE] })];

  const page = await (await routes.request('/demo')).text();

  expect(page).toContain('Ada');
  expect(page).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u);
});

test('attributes that show or speak a text have no direction controls, and the values of fields stay', () => {
  const rendered = renderToString(html`<input title=${HOSTILE} aria-label=${HOSTILE} placeholder=${HOSTILE} value=${HOSTILE} />`);

  expect(rendered.replaceAll(/value="[^"]*"/gu, '')).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u);
  expect(rendered).toContain(`value="${HOSTILE}"`);
});

test('titles of documents have no direction controls', async () => {
  const { routes } = await openSite({
    operations: { ...noOperations, queries: { ...noOperations.queries, explainItem: (name) => Promise.resolve(explanationOf(name)) } },
  });

  const page = await (await routes.request(`/why?q=${encodeURIComponent(HOSTILE)}`)).text();

  expect(/<title>(.*?)<\/title>/u.exec(page)?.[1]).toBe('Why: Ada · Fanfare');
});
