import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';

const SEND = '{ do: discord.send, with: { channel: live, content: hi } }';
const STREAMS = 'every: 1m, watch: streaming.getStreams, with: { users: [ada] }';

function rule({ when = STREAMS, top = '', step = SEND } = {}): string {
  return `id: r\nabout: Says hi\nwhen: { ${when} }\n${top}\nthen:\n  - ${step}\n`;
}

/** The path and the hint of each error. */
const reported = (source: string): readonly string[] =>
  check(source)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ path, message, hint }) => `${path}: ${hint ?? message}`);

describe('an unknown operation', () => {
  test.for([
    ['social.post', 'social.createPost'],
    ['mastodon.toot', 'social.createPost'],
    ['discord.post', 'discord.send'],
    ['discord.reply', 'discord.send'],
    ['discord.editMessage', 'discord.edit'],
    ['streams.getUserVideos', 'streaming.getUserVideos'],
  ] as const)('%s suggests %s', ([written, meant]) => {
    expect(reported(rule({ step: `{ do: ${written}, with: {} }` }))).toEqual([`then[0].do: did you mean ${meant}?`]);
  });

  test.for([
    ['rss.getItems', 'feed.getItems'],
    ['youtube.getVideos', 'streaming.getUserVideos'],
    ['twitch.getStreams', 'streaming.getStreams'],
    ['streaming.getUserStreams', 'streaming.getStreams'],
    ['streaming.getLiveStream', 'streaming.getStreams'],
    ['streaming.getGmeStreams', 'streaming.getGameStreams'],
  ] as const)('%s in watch suggests %s', ([written, meant]) => {
    expect(reported(rule({ when: `every: 1m, watch: ${written}` }))).toEqual([`when.watch: did you mean ${meant}?`]);
  });

  test('in the place of do suggests the operation', () => {
    expect(reported(rule({ step: '{ social.post: { text: hi } }' }))).toEqual([
      'then[0].social.post: write do: social.createPost, and with: with the parameters',
    ]);
  });

  test('that only shares the name of its client with others lists all of them', () => {
    for (const verb of ['streaming.getRaids', 'discord.getServer'])
      expect(reported(rule({ when: `every: 1m, watch: ${verb}` }))[0]).toMatch(/^when\.watch: available: /u);
  });

  test('of a client lists the operations of this client', () => {
    expect(reported(rule({ when: 'every: 1m, watch: feed.subscribe' }))).toEqual(['when.watch: available: feed.getItems']);
    expect(reported(rule({ when: 'every: 1m, watch: history.remember' }))[0]).toMatch(/^when\.watch: available: history\.getDeliveries, /u);
    expect(reported(rule({ step: '{ do: telegram.remember, with: {} }' }))).toEqual([
      'then[0].do: npx fanfare capabilities lists all operations',
    ]);
  });
});

test.for(['picture', 'pictures', 'image', 'media'])('the parameter %s suggests files', (name) => {
  expect(reported(rule({ step: `{ do: social.createPost, with: { text: hi, ${name}: [] } }` }))).toEqual([
    `then[0].with.${name}: did you mean files?`,
  ]);
});

describe('a value of another form', () => {
  test.for([
    [{ top: 'limit: { firings: 1, per: 10m, then: queue }' }, 'limit.then: did you mean hold?'],
    [{ top: 'quiet: { from: 11:00pm, to: 6:00, then: hold }' }, 'quiet.from: write "23:00"'],
    [{ top: 'quiet: { from: "23:00", to: 24, then: hold }' }, 'quiet.to: write "00:00"'],
    [
      { when: `${STREAMS}, changes: [{ rose: { field: viewerCount, above: "100" } }]` },
      'when.changes[0].rose.above: write 100 without quotes',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, embed: { title: hi, color: "9146FF" } } }' },
      'then[0].with.embed.color: write "#9146ff"',
    ],
    [{ top: 'fuse: { firings: 1000000000000000000000 }' }, 'fuse.firings: write a smaller number'],
    [{ when: `${STREAMS}, changes: [ended]` }, 'when.changes[0]: did you mean left?'],
    [{ top: 'vars: { days: { "11-20": Ada } }\nif: item.title in vars.days' }, 'if: write vars.days[?item.title].orValue("") != ""'],
    [{ top: 'if: item.startedAt > now - 90m' }, 'if: write duration("90m")'],
    [{ top: 'if: item.viewerCount > 1,000' }, 'if: write 1000'],
    [{ top: 'limit: { firings: 1, per: 10m, then: discard }' }, 'limit.then: did you mean drop?'],
    [
      { top: 'limit: { firings: 3, per: item, then: drop }' },
      'limit.per: limit counts all firings of the rule in this time; for one limit for each item, make one rule for each with each',
    ],
    [{ top: 'limit: { firings: 3, per: day, then: drop }' }, 'limit.per: write 1d'],
    [{ top: 'limit: { firings: 3, per: an hour, then: drop }' }, 'limit.per: write 1h'],
    [{ when: 'cron: "0 20 * * FRI", weeks: 2' }, 'when.weeks: write weeks: { every: 2, from: 2026-01-05 }'],
    [{ when: 'cron: "0 20 * * FRI", except: [12-25]' }, 'when.except: write a map with keys, for example dates, then'],
    [{ when: 'webhook: shop, fields: [amount]' }, 'when.fields: write each entry as name: value'],
    [{ when: 'cron: "0 20 * * FRI", except: dates = 12-25' }, 'when.except: a colon is missing: write dates: 12-25'],
    [{ when: 'cron: "0 20 * * FRI", except: holidays = 12-25' }, 'when.except: write a map with keys, for example dates, then'],
    [{ when: `webhook: shop, fields: "a =${' '.repeat(300)}b"` }, 'when.fields: write each entry as name: value'],
    [{ when: "webhook: shop, fields: amount 'x'" }, "when.fields: a colon is missing: write amount: 'x'"],
    [{ when: 'webhook: shop, fields: { amount: float }' }, 'when.fields.amount: did you mean number?'],
    [{ when: 'webhook: shop, fields: { amount: string }' }, 'when.fields.amount: did you mean text?'],
    [
      { when: 'every: 1m, watch: streaming.getUserClips, with: { user: [ada, grace] }' },
      'when.with.user: write one value; each makes one rule for each of several values',
    ],
    [{ when: 'every: 1m, watch: streaming.getUserClips, with: { user: [ada] }' }, 'when.with.user: remove the brackets'],
    [
      { step: '{ do: social.createPost, as: mastodon, with: { text: hi, poll: { options: [yes] } } }' },
      'then[0].with.poll.options: expected a list of at least 2, found one of 1',
    ],
    [
      { when: 'every: 1m, people: [ada, grace]' },
      'when.people: write the name of a list, for example people: team with the names in lists/team.yaml; or watch: streaming.getStreams, with: { users: […] }',
    ],
    [{ when: 'every: 1m, watch: streaming.getUserClips, with: { user: [] }' }, 'when.with.user: expected text, found an empty list'],
    [
      { step: '{ do: discord.send, onError: [{ do: discord.send }], with: { channel: live, content: hi } }' },
      'then[0].onError: expected continue or stop, found a list',
    ],
    [{ when: 'cron: "0 20 * * *", timezone: Berlin' }, 'when.timezone: did you mean Europe/Berlin?'],
    [{ when: 'cron: "0 20 * * *", timezone: new york' }, 'when.timezone: did you mean America/New_York?'],
    [{ when: 'cron: "0 20 * * *", timezone: Europe-Berln' }, 'when.timezone: did you mean Europe/Berlin?'],
    // A city without a zone gets no other city: its clocks can differ.
    [{ when: 'cron: "0 20 * * *", timezone: Europe/Köln' }, 'when.timezone: for example Europe/Paris'],
    [{ when: 'cron: "0 20 * * *", timezone: Europe/Munich' }, 'when.timezone: for example Europe/Paris'],
    [{ when: 'cron: "0 20 * * *", timezone: Europe/Hamburg' }, 'when.timezone: for example Europe/Paris'],
    [{ when: 'cron: "0 20 * * *", timezone: Nowhere' }, 'when.timezone: for example Europe/Paris'],
    [{ when: 'cron: "0 20 * * FRI/2"' }, 'when.cron: for each second week, write weeks: { every: 2, from: 2026-01-02 } beside cron'],
    [{ top: 'quiet: { from: "22:00", to: "07:00" }' }, 'quiet.then: add then: hold or drop, or a list'],
    [{ top: 'limit: { firings: 3, per: 1h }' }, 'limit.then: add then: hold or drop, or a list'],
  ] as const)('%o has a hint', ([parts, expected]) => {
    expect(reported(rule(parts))).toEqual([expected]);
  });

  test('a grid of two weeks suggests weeks', () => {
    expect(check(rule({ when: 'every: 2w' })).diagnostics.map(({ hint }) => hint)).toEqual([
      'write cron: "0 18 * * 0" for Sundays at 18:00, and weeks: { every: 2, from: 2026-01-04 }',
    ]);
  });
});

describe('a key that users expect', () => {
  const LATER = 'For several firings, or to send them later, write limit: { firings: 1, per: 10m, then: hold }';

  test.for([
    [{ top: 'cooldown: { for: 10m, then: hold }' }, `cooldown.then: remove it: a cooldown discards firings. ${LATER}`],
    [{ top: 'cooldown: { for: 1d, firings: 3 }' }, `cooldown.firings: remove it: a cooldown allows one firing. ${LATER}`],
    [{ top: 'limit: { count: 1, per: 1d, then: drop }' }, 'limit.count: write firings: 5'],
    [{ top: 'limit: { firings: 1, every: 10m, then: drop }' }, 'limit.every: write per: 1d'],
    [{ step: '{ do: discord.send, account: discord, with: { channel: live, content: x } }' }, 'then[0].account: write as: with an account'],
    [
      { step: '{ do: discord.send, accounts: [discord], with: { channel: live, content: x } }' },
      'then[0].accounts: write as: with the accounts',
    ],
    [{ when: 'every: 1m, watch: streaming.getTopStreams, as: twitch' }, 'when.as: write account: with an account'],
    [
      { when: 'webhook: shop, header: X-Shop-Signature' },
      'when.header: remove it: FANFARE_WEBHOOK_<NAME>_SECRET or FANFARE_WEBHOOK_<NAME>_TOKEN in .env has the secret, and FANFARE_WEBHOOK_<NAME>_HEADER another header',
    ],
  ] as const)('%o has a hint', ([parts, expected]) => {
    expect(reported(rule(parts))).toEqual([expected]);
  });
});

describe('an option of a command', () => {
  function command(options: string, content = '${{ command.options.name }}'): readonly string[] {
    return reported(rule({ when: `command: uptime${options}`, step: `{ do: discord.answer, with: { content: "${content}" } }` }));
  }

  test.for([
    [', options: { name: { type: text, about: x } }', ['when.options.name.type: did you mean string?']],
    [', options: { name: { type: string, description: x } }', ['when.options.name.description: write about: with the description']],
    [', options: { name: { type: string, about: x, cohices: [a] } }', ['when.options.name.cohices: did you mean choices?']],
    [', options: { name: { type: string, about: x, min: 1 } }', ['when.options.name.min: available: type, about, required, choices']],
    [', options: { name: string }', ['when.options.name: write a map with keys, for example type, about, required, choices']],
    [', options: [name]', ['when.options: write each entry as name: value']],
    ['', ['then[0].with.content: add options: { name: { type: string, about: … } } to when']],
    [', options: { other: { type: string, about: x } }', ['then[0].with.content: available: other']],
  ] as const)('is reported once: %s', ([options, expected]) => {
    expect(command(options)).toEqual(expected);
  });

  test('of a webhook is a field', () => {
    const top = 'if: item.amount >= 1.0';

    expect(reported(rule({ when: 'webhook: shop, fields: { amount: nubmer }', top }))).toEqual([
      'when.fields.amount: did you mean number?',
    ]);
    expect(reported(rule({ when: 'webhook: shop', top }))).toEqual(['if: add fields: { amount: text } to when']);
  });
});

describe('a schedule under the key of another one', () => {
  test.for([
    ['every: "0 18 * * FRI"', 'when.every: write cron: "0 18 * * FRI"'],
    ['every: 18:00', 'when.every: write cron: "0 18 * * *" for every day at 18:00'],
    ['every: daily', 'when.every: write cron: "0 18 * * *" for every day at 18:00'],
    ['every: 2026-12-24T18:00Z', 'when.every: write at: 2026-12-24T18:00Z'],
    ['every: 99999d', 'when.every: a duration is at most ten years'],
    ['every: tomorrow', 'when.every: not a duration: write it as 90s, 1h30m or 7d'],
    ['cron: 5m', 'when.cron: write every: 5m'],
    ['cron: "8:05"', 'when.cron: write cron: "5 8 * * *" for every day at 8:05'],
    ['cron: "@hourly"', 'when.cron: write every: 1h'],
    ['cron: "@daily"', 'when.cron: write cron: "0 0 * * *"'],
    ['cron: "@reboot"', 'when.cron: write the five fields: 0 0 * * * is every midnight'],
    ['at: "0 18 * * FRI"', 'when.at: write cron: "0 18 * * FRI"'],
    ['every: freitags', 'when.every: write cron: "0 18 * * 5" for Fridays at 18:00'],
    ['every: Friday 8pm', 'when.every: write cron: "0 20 * * 5" for Fridays at 20:00'],
    ['every: jeden Montag um 19:30 Uhr', 'when.every: write cron: "30 19 * * 1" for Mondays at 19:30'],
    ['every: täglich', 'when.every: write cron: "0 18 * * *" for every day at 18:00'],
    ['cron: 7pm', 'when.cron: write cron: "0 19 * * *" for every day at 19:00'],
    ['cron: 19 Uhr', 'when.cron: write cron: "0 19 * * *" for every day at 19:00'],
    ['cron: 0 20 * * FR', 'when.cron: write fri'],
    ['cron: 0 20 * * Mo-Fr', 'when.cron: write mon-fri'],
    ['cron: "0 20 * * tuesday,Sonntag"', 'when.cron: write tue,sun'],
    ['at: 24.12.2026 18:00', 'when.at: write at: 2026-12-24 18:00'],
    ['at: "4.1.2027, 8pm"', 'when.at: write at: 2027-01-04 20:00'],
    ['at: 31.2.2027 18:00', 'when.at: write 2030-12-24T18:00:00+01:00, or 2030-12-24 18:00 with timezone'],
    ['at: 24:00', 'when.at: write 2030-12-24T18:00:00+01:00, or 2030-12-24 18:00 with timezone'],
  ] as const)('%s: %s', ([when, expected]) => {
    expect(reported(rule({ when }))).toEqual([expected]);
  });
});

describe('a duration in other words', () => {
  test.for([
    ['1,5h', '1h30m'],
    ['1.5 h', '1h30m'],
    ['0.5d', '12h'],
    ['2.5 minutes', '2m30s'],
    ['1h 30min', '1h30m'],
    ['2 Stunden', '2h'],
    ['1 Std.', '1h'],
    ['3 Tage', '3d'],
    ['2 Wochen', '2w'],
    ['90 Sekunden', '90s'],
    ['day', '1d'],
    ['eine Stunde', '1h'],
    ['1h30', '1h30m'],
    ['-5m', '5m'],
  ] as const)('%s suggests %s', ([written, meant]) => {
    expect(reported(rule({ top: `cooldown: ${written}` }))).toEqual([`cooldown: write ${meant}`]);
    expect(reported(rule({ top: `cooldown: ${meant}` }))).toEqual([]);
  });

  test.for(['1 month', '1mo', '2 Monate', '1 semaine', '3 sprints', 'month', '0.001m', '5 minus'])('%s suggests nothing', (written) => {
    expect(reported(rule({ top: `cooldown: ${written}` }))).toEqual(['cooldown: not a duration: write it as 90s, 1h30m or 7d']);
  });
});

describe('a name that beginners expect', () => {
  test('a parameter at the start of a line is missing nowhere else', () => {
    const step = '{ do: discord.send }\nwith: { channel: live, content: hi }';

    expect(reported(rule({ step }))).toEqual(['with: with belongs in when or a step: check its indentation']);
  });

  test.for([
    // A key with a value of the wrong form.
    [
      {
        when: 'command: up, options: { c: { type: choice, about: q, choices: { a: 1 } } }',
        step: '{ do: discord.answer, with: { content: a } }',
      },
      'when.options.c.choices: expected a list, found a map',
    ],
    // A parameter beside `with` instead of in it.
    [{ step: '{ do: discord.send, chanel: live, content: hi }' }, 'then[0].chanel: write it in with: { channel: … }'],
    [{ step: '{ do: discord.send, channel: live, message: hi }' }, 'then[0].message: write it in with: { content: … }'],
    [{ when: 'every: 1m, watch: streaming.getStreams, users: [ada]' }, 'when.users: write it in with: { users: … }'],
    [{ when: 'every: 1m, watch: streaming.getGameStreams, game: Chess' }, 'when.game: write it in with: { game: … }'],
    [{ step: '{ do: discord.send, with: { channel: live }, content: hi }' }, 'then[0].content: write it in with: { content: … }'],
    [{ step: '{ do: social.createPost, with: {}, text: hi }' }, 'then[0].text: write it in with: { text: … }'],
    // A key in German.
    [{ when: `${STREAMS}, zeitzone: Berlin` }, 'when.zeitzone: write timezone: Europe/Berlin'],
    [{ top: 'falls: true' }, 'falls: write if: with an expression'],
    [
      { step: '{ tue: discord.send, mit: { channel: live, content: hi } }' },
      'then[0].tue: write do: with an operation, for example discord.send',
    ],
    [{ top: `gather: { cron: 19 Uhr, then: [${SEND}] }` }, 'gather.cron: write cron: "0 19 * * *" for every day at 19:00'],
    [
      { step: `{ if: item.viewerCount > 5, then: [${SEND}] }` },
      'then[0].then: write each of its steps as a separate step, with the same if (then is a key of Home Assistant)',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, embed: { fields: [{ title: a, value: b }] } } }' },
      'then[0].with.embed.fields[0].title: did you mean name?',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, embed: { content: hi } } }' },
      'then[0].with.embed.content: content belongs beside embed, not in it',
    ],
    // A field that a value does not have.
    [{ top: 'if: item.title.text == "a"' }, 'if: write item.title alone'],
    [
      { step: '{ forEach: item.tags, do: discord.send, with: { channel: live, content: "${{ it.name }}" } }' },
      'then[0].with.content: write it alone',
    ],
    [
      {
        step: '{ id: u, do: streaming.getUser, with: { user: ada } }\n  - { do: discord.send, with: { channel: live, content: "${{ steps.u.owner }}" } }',
      },
      'then[1].with.content: available: platform, id, url, handle, displayName, bio, avatarUrl, bannerUrl, createdAt, followerCount, verified, isLive, fetchedAt, gone, own, on',
    ],
    // The fields of a webhook.
    [
      { when: 'webhook: shop, fields: { amount: text }', top: 'if: item.amount > 5' },
      'if: write int(item.amount), if it always has a number',
    ],
    [{ when: 'webhook: shop, fields: "name, amount"' }, 'when.fields: write fields: { name: text, amount: text }'],
    [{ when: 'webhook: shop, maxSize: 500' }, 'when.maxSize: write 500kB'],
    [{ when: 'webhook: shop, maxSize: 1 mb' }, 'when.maxSize: write 1MB'],
    [{ when: 'webhook: shop, maxSize: 2 MB' }, 'when.maxSize: write for example 256kB'],
    [
      { when: 'webhook: shop, fields: { a: { b: { c: { d: { e: text } } } } }', top: 'if: item.a.b.c.d != ""' },
      'when.fields.a.b.c.d: fields has at most three levels of maps: remove the inner ones',
    ],
    // A word of other tools for a value.
    [{ top: 'enabled: ja' }, 'enabled: did you mean true?'],
    [{ when: `${STREAMS}, first: true` }, 'when.first: did you mean fire?'],
    [{ when: `${STREAMS}, per: streamer` }, 'when.per: did you mean item?'],
    [{ step: SEND.replace('do:', 'fit: split, do:') }, 'then[0].fit: did you mean thread?'],
    [{ step: SEND.replace('do:', 'retry: 3, do:') }, 'then[0].retry: write retry: { attempts: 3 }'],
    [{ when: 'webhook: shop, fields: { names: list }' }, 'when.fields.names: write [text], or another type of the elements'],
    [{ when: 'webhook: shop, fields: { names: [text, text] }' }, 'when.fields.names: write one type for all elements, for example [text]'],
    [{ when: 'webhook: Ko-Fi' }, 'when.webhook: write ko-fi'],
    [{ when: 'webhook: Ko-Fi (Shop)' }, 'when.webhook: write ko-fi-shop'],
    [{ when: 'timezone: MEZ, cron: "0 18 * * *"' }, 'when.timezone: did you mean Europe/Berlin?'],
    // An operation without its client.
    [{ when: 'every: 1m, watch: getStreams, with: { users: [ada] }' }, 'when.watch: did you mean streaming.getStreams?'],
    [{ step: '{ do: discord send, with: { channel: live, content: hi } }' }, 'then[0].do: did you mean discord.send?'],
    [{ step: '{ send: hi }' }, 'then[0].send: write do: discord.send, and with: with the parameters'],
    // Another form of a value.
    [{ step: '{ do: discord.send, with: { channel: live, embed: { link: x } } }' }, 'then[0].with.embed.link: did you mean url?'],
    [
      { step: '{ do: discord.send, with: { <<: { channel: live }, content: hi } }' },
      'then[0].with.<<: write the keys of the other map here, or use the whole map, for example with: *name',
    ],
    [{ step: SEND.replace('content: hi', 'content: "${{ item.tags }}"') }, `then[0].with.content: join the elements with .join(', ')`],
    [{ when: `${STREAMS}, where: item.game.name == Just Chatting` }, 'when.where: put quotes around the text: == "Just Chatting"'],
    [
      { when: `${STREAMS}, where: "item.game.name == Grand Theft Auto: San Andreas && item.mature"` },
      'when.where: put quotes around the text: == "Grand Theft Auto: San Andreas"',
    ],
    [
      { when: `${STREAMS}, where: item.game.name == Just Chatting and item.viewerCount > 5` },
      'when.where: put quotes around the text: == "Just Chatting"',
    ],
    [{ top: 'if: now.getDayOfWeek() == "Freitag"' }, 'if: write now.getDayOfWeek() == 5: Sunday is 0'],
    [{ top: 'if: now.getHours("Berlin") > 20' }, 'if: did you mean "Europe/Berlin"?'],
    [{ top: 'if: item.category == "Chess"' }, 'if: did you mean item.game.name?'],
    [{ when: 'every: 5m, watch: feed.getItems, with: { feed: "https://blog.example/feed.xml" }' }, 'when.with.feed: did you mean url?'],
    [{ when: 'cron: "0 9 * * 1", weeks: 2' }, 'when.weeks: write weeks: { every: 2, from: 2026-01-05 }'],
    [{ when: 'cron: "0 9 * * 1", except: { dates: 24.12. }' }, 'when.except.dates: write 12-24'],
    [{ when: 'cron: "0 9 * * 1", except: { dates: [1.5.2030], then: move } ' }, 'when.except.dates[0]: write 2030-05-01'],
    [{ when: 'cron: "0 9 * * 1", except: { dates: 12-24, then: move } ' }, 'when.except.then: did you mean next?'],
    [
      { when: `${STREAMS}, changes: [{ moved: both }]` },
      'when.changes[0].moved: for both directions, write moved in place of { moved: … }',
    ],
    [{ when: `${STREAMS}, changes: [{ rose: { field: viewerCount, above: "1.000" } }]` }, 'when.changes[0].rose.above: write 1000'],
    [{ step: '{ do: discord.event, with: {} }' }, 'then[0].do: did you mean discord.createEvent?'],
    [{ top: 'each: { streamer: ada }\nif: each.streamer != ""' }, 'each.streamer: write [ada]'],
    [{ top: 'each: { streamer: "ada, grace" }' }, 'each.streamer: write [ada, grace]'],
    [{ top: `each: { game: '2048, true, a "b" #1, c: d' }` }, `each.game: write ["2048", "true", 'a "b" #1', "c: d"]`],
    [{ top: 'if: now.getDay() == 5' }, 'if: write time.getDayOfWeek("Europe/Paris"), which is 0 on Sundays'],
    [{ top: 'if: item.title' }, 'if: write item.title != ""'],
    [{ top: 'if: items' }, 'if: write items.size() > 0'],
    [{ top: 'if: item.title[0] == "x"' }, 'if: write truncate(item.title, 10) for the first characters'],
    // A parameter under another name.
    [{ step: '{ do: discord.send, with: { channel: live, text: hi } }' }, 'then[0].with.text: did you mean content?'],
    [{ step: '{ do: discord.send, with: { channel: live, content: hi, ping: Fans } }' }, 'then[0].with.ping: did you mean mention?'],
    [{ step: '{ do: social.createPost, with: { content: hi } }' }, 'then[0].with.content: did you mean text?'],
    [{ step: '{ do: social.createPost, with: { message: hi } }' }, 'then[0].with.message: did you mean text?'],
    [{ when: `${STREAMS}, tz: Europe/Paris` }, 'when.tz: write timezone: Europe/Paris'],
    [{ when: `${STREAMS}, delay: 10m` }, 'when.delay: write settle: 5m'],
    [{ when: `${STREAMS}, limit: 5` }, 'when.limit: write take: 5; a limit of firings belongs beside when'],
    [{ top: 'update: []' }, 'update: write while: with a list of steps'],
    [{ top: 'end: []' }, 'end: write finally: with a list of steps'],
    [
      { when: `${STREAMS}, until: 2026-12-24` },
      'when.until: remove it: the last day belongs in if: of the rule, for example if: now < timestamp("2030-12-25T00:00:00Z")',
    ],
    [{ when: 'every: 1m, streamer: ada' }, 'when.streamer: write with: { users: [ada] }, and watch: streaming.getStreams'],
    [{ when: `${STREAMS}, changes: [title]` }, 'when.changes[0]: for a change of a field, write { changed: [title] }'],
    [{ when: `${STREAMS}, changes: [changed]` }, 'when.changes[0]: name the fields, for example { changed: [title] }'],
    [
      { when: `${STREAMS}, changes: [entered, fell]` },
      'when.changes[1]: name the field and the threshold, for example { fell: { field: viewerCount, below: 100 } }',
    ],
    [
      { when: `${STREAMS}, changes: [rose]` },
      'when.changes[0]: name the field and the threshold, for example { rose: { field: viewerCount, above: 1000 } }',
    ],
    [{ when: `${STREAMS}, changes: [{ rose: { field: viewerCount, above: 1k } }]` }, 'when.changes[0].rose.above: write 1000'],
    [{ top: 'limit: { firings: 2k, per: 1d, then: drop }' }, 'limit.firings: write 2000'],
    [{ when: 'cron: "0 18 * * Mo,Do"' }, 'when.cron: write mon,thu'],
    [{ when: 'cron: "0 18 1 Mai *"' }, 'when.cron: write numbers, or jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec'],
    [{ step: '{ do: social.createPost, as: "mastodon, bluesky", with: { text: hi } }' }, 'then[0].as: write [mastodon, bluesky]'],
    [
      { when: 'every: 1m, watch: streaming.getStreams, with: { games: [Chess], languages: [german] }' },
      'when.with.languages[0]: this is not a language code: write it as de or en',
    ],
    [{ when: `${STREAMS}, changes: [joined]` }, 'when.changes[0]: did you mean entered?'],
    [{ when: `${STREAMS}, per: list` }, 'when.per: did you mean slot?'],
    [
      { when: `${STREAMS}, where: item.rank == 1` },
      'when.where: items have a rank after where: write the condition as if of the rule, beside when',
    ],
    [{ top: 'keep: { count: 0 }' }, 'keep.count: write { start: 0, next: … }, with an expression for the next value'],
    [{ top: 'each: { on: { ada: live } }' }, 'each.on: write a list, for example [ada, grace] or [{ id: ada, channel: live }]'],
    [
      { step: '{ do: discord.send, with: { channel: live, embed: { title: hi, thumbnail: { url: "https://example.org/a.png" } } } }' },
      'then[0].with.embed.thumbnail: write the value of url alone',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, content: "${{ item.viewers }}" } }' },
      'then[0].with.content: did you mean viewerCount?',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, content: "${{ item.owner.name }}" } }' },
      'then[0].with.content: did you mean displayName?',
    ],
    [
      { step: '{ do: discord.send, with: { channel: live, content: "${{ item.user.name }}" } }' },
      'then[0].with.content: did you mean owner?',
    ],
    [{ step: '{ do: discord.send, with: { channel: live, content: "${{ change.old }}" } }' }, 'then[0].with.content: did you mean from?'],
    [{ step: '{ do: discord.dm, with: { user: ada, content: hi } }' }, 'then[0].do: did you mean discord.send?'],
    [{ when: 'command: hi', step: '{ do: discord.reply, with: { content: hi } }' }, 'then[0].do: did you mean discord.answer?'],
    [{ step: '{ do: discord.send, with: { channel: live, content: "${{ stream.url }}" } }' }, 'then[0].with.content: did you mean item?'],
    [{ when: `${STREAMS}, changes: [{ rose: { field: viewerCount, above: 1,000 } }]` }, ': write a number without commas: 1000'],
  ] as const)('%j', ([parts, expected]) => {
    expect(reported(rule(parts))).toContain(expected);
  });

  test('a list of changes without its brackets has no second error', () => {
    const when = 'every: 1h, watch: streaming.getUser, with: { user: ada }, changes: { rose: { field: followerCount, above: 1000 } }';

    expect(reported(rule({ when }))).toEqual(['when.changes: start it with - , or put [ ] around it']);
  });
});
