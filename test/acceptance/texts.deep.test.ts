import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { TEXT_LIMITS } from '../support/text-limits.ts';
import { signIn } from '../support/sandbox-people.ts';
import { install, type Installation } from './installation.ts';

const START = '2026-11-20T18:00:05Z';

describe('10. title contains `@everyone <@&1> [x](javascript:)` → no ping, escaped per network', () => {
  const Guild = z.object({ roles: z.array(z.object({ id: z.string(), name: z.string() })) });
  const RULE = `
id: live
when: { every: 15s, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.title }}" } }
  - do: discord.send
    with:
      channel: live
      content: "\${{ item.title }}"
      embed: { title: "\${{ item.title }}", description: "\${{ item.title }}", fields: [{ name: "\${{ item.title }}", value: "\${{ item.title }}" }] }
`;
  const TITLES = [
    ['the title of the requirement', () => '@everyone <@&1> [x](javascript:)'],
    ['a title with existing names', (role: string) => `@here <@&${role}> @grace @linus **x** [x](javascript:alert(1))`],
  ] as const;

  async function announced(titleOf: (role: string) => string): Promise<{ readonly fanfare: Installation; readonly title: string }> {
    const fanfare = await install({ rules: [RULE], at: START });
    const { roles } = Guild.parse(await fanfare.control('/discord'));
    const title = titleOf(roles.find(({ name }) => name === 'Live')?.id ?? '');
    fanfare.order({ do: 'end', user: 'ada' });
    await fanfare.pass(30);
    fanfare.order({ do: 'goLive', user: 'ada', title });
    await fanfare.pass(30);
    return { fanfare, title };
  }

  /** Markup of Discord. */
  function markup(text: string): readonly string[] {
    return text.replaceAll(/\\[^\w\s]/g, '').match(/@(everyone|here)|<[@#]|\*\*|\]\(/g) ?? [];
  }

  /** The visible text. */
  function seen(text: string): string {
    return text.replaceAll(/\\([^\w\s])/g, '$1').replaceAll('\u2060', '');
  }

  test.for(TITLES)(
    '10. title contains `@everyone <@&1> [x](javascript:)` → no ping, escaped per network: Discord, %s',
    async ([, titleOf]) => {
      const { fanfare, title } = await announced(titleOf);
      await using _ = fanfare;

      const [message, ...more] = await fanfare.messages();
      const [embed] = message?.embeds ?? [];
      const [field] = embed?.fields ?? [];

      expect(more).toEqual([]);
      expect(message?.pinged).toEqual({ everyone: false, roles: [], users: [] });
      for (const text of [message?.content, embed?.title, embed?.description, field?.name, field?.value]) {
        expect(markup(text ?? '')).toEqual([]);
        expect(seen(text ?? '')).toBe(title);
      }
    },
  );

  test.for(TITLES)(
    '10. title contains `@everyone <@&1> [x](javascript:)` → no ping, escaped per network: a post, %s',
    async ([, titleOf]) => {
      const { fanfare, title } = await announced(titleOf);
      await using _ = fanfare;

      const [post, ...more] = await fanfare.posts();
      const grace = await signIn(fanfare, 'grace');
      const record = await fanfare.during(grace.postDetail(post?.id ?? ''));
      const { items: mentions } = await fanfare.during(grace.getMentions());

      expect(more).toEqual([]);
      expect(seen(post?.text ?? '')).toBe(title);
      expect(record.entities).toEqual([]);
      expect(mentions.map(({ id }) => id)).not.toContain(post?.id);
    },
  );

  test.for(TITLES)(
    '10. title contains `@everyone <@&1> [x](javascript:)` → no ping, escaped per network: the page, %s',
    async ([, titleOf]) => {
      const { fanfare, title } = await announced(titleOf);
      await using _ = fanfare;

      const { body } = await request(`${fanfare.url}/deliveries`);
      const html = await body.text();

      expect(html).toContain('[x](javascript:');
      expect(html).not.toContain(title);
      expect(html).not.toMatch(/<@|(href|src)="?javascript:/i);
    },
  );
});

describe('11. 301-grapheme text with flags/ZWJ emoji + URL → never over limit, link intact', () => {
  const URL_TEXT = 'https://www.twitch.tv/ada_lovelace?tt_medium=live_embed&tt_content=1';
  const CLUSTERS = ['🇩🇪', '👩‍👩‍👧‍👦', '🏳️‍🌈', 'e\u0301', '👍🏽', 'a', ' ', 'ß', '각'];
  const LIMITS = [300, 500] as const;
  const POSITIONS = [
    ['at the end', (prose: string) => `${prose} ${URL_TEXT}`],
    ['at the start', (prose: string) => `${URL_TEXT} ${prose}`],
    ['in the middle', (prose: string) => `${prose.slice(0, cut(prose))} ${URL_TEXT} ${prose.slice(cut(prose))}`],
  ] as const;
  const CASES = LIMITS.flatMap((most) => POSITIONS.map(([place, textOf]) => [most, place, textOf] as const));

  function graphemes(text: string): readonly string[] {
    return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
  }

  /** A position between two graphemes. */
  function cut(prose: string): number {
    return graphemes(prose).slice(0, 120).join('').length;
  }

  /** A text that is one grapheme too long. */
  function tooLong(most: number, textOf: (prose: string) => string): string {
    const around = graphemes(textOf('')).length;
    const prose = Array.from({ length: most + 1 - around }, (_, place) => CLUSTERS[place % CLUSTERS.length]);
    // The text does not begin or end with a space, which shortening can remove.
    return textOf(['x', ...prose.slice(1, -1), 'x'].join(''));
  }

  async function posted({
    most,
    text,
    fit,
  }: {
    readonly most: number;
    readonly text: string;
    readonly fit: string;
  }): Promise<Installation> {
    const textLimit = { ...TEXT_LIMITS.sandbox, most };
    const fanfare = await install({
      at: START,
      rules: [`id: long\nwhen: { every: 1m }\nthen: [{ do: social.createPost, fit: ${fit}, with: { text: ${JSON.stringify(text)} } }]\n`],
      accounts: (usual) => ({ ...usual, social: { all: ['sandbox'], defaults: ['sandbox'], textLimits: { sandbox: textLimit } } }),
      social: ({ environment }, clock) => {
        const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = environment;
        return [{ ...sandboxPlatform({ url, token, clock }), textLimit }];
      },
    });
    await fanfare.pass(80);
    return fanfare;
  }

  test.for(CASES)(
    '11. 301-grapheme text with flags/ZWJ emoji + URL → never over limit, link intact: of %d, the link %s',
    async ([most, , textOf]) => {
      const text = tooLong(most, textOf);
      await using fanfare = await posted({ most, text, fit: 'truncate' });

      const [post, ...more] = await fanfare.posts();
      const shown = graphemes(post?.text ?? '');

      expect(graphemes(text)).toHaveLength(most + 1);
      expect(more).toEqual([]);
      expect(shown.length).toBeGreaterThan(most - 5);
      expect(shown.length).toBeLessThanOrEqual(most);
      expect(post?.text.split(/\s/)).toContain(URL_TEXT);
      // The result consists of complete graphemes of the text, in order.
      const rest = graphemes(text)[Symbol.iterator]();
      const isThere = (one: string): boolean => {
        for (const of of rest) if (of === one) return true;
        return false;
      };
      expect(shown.filter((one) => one !== '…').every(isThere)).toBe(true);
    },
  );

  test.for(CASES)(
    '11. 301-grapheme text with flags/ZWJ emoji + URL → never over limit, link intact: as a thread of %d each, the link %s',
    async ([most, , textOf]) => {
      const text = tooLong(most, textOf);
      await using fanfare = await posted({ most, text, fit: 'thread' });

      const posts = await fanfare.posts();

      expect(posts.length).toBe(2);
      expect(posts.map(({ replyTo }) => replyTo)).toEqual([undefined, posts[0]?.id]);
      for (const { text: part } of posts) expect(graphemes(part).length).toBeLessThanOrEqual(most);
      expect(posts.filter(({ text: part }) => part.split(/\s/).includes(URL_TEXT))).toHaveLength(1);
    },
  );

  test.for(LIMITS)(
    '11. 301-grapheme text with flags/ZWJ emoji + URL → never over limit: of %d, where too long is an error nothing is sent',
    async (most) => {
      await using fanfare = await posted({ most, text: tooLong(most, POSITIONS[0][1]), fit: 'error' });

      const { items } = await fanfare.store.deliveryLog.list({});

      expect(await fanfare.posts()).toEqual([]);
      expect(items).toMatchObject([
        { state: 'failed', error: { message: expect.stringContaining(`${most + 1} characters, and the limit is ${most}`) } },
      ]);
    },
  );
});
