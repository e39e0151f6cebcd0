import { rulesIn } from './replay-fixture.ts';

const STREAMS = 'watch: streaming.getStreams, with: { users: [ada, grace] }';
const SET_FREE = 'fuse: { firings: 500, per: 1h }';
const LONG = Array.from({ length: 5 }, (_, n) => `Sentence ${n} of what is said at \${{ date(now, 'UTC', 'time') }}.`).join(' ');

/** Rules with every form of a step, with several schedules and with quiet hours, by topic. */
export const RULES: Readonly<Record<string, string>> = {
  list: `
id: list
when: { every: 20s }
${SET_FREE}
then:
  - { id: each, do: social.createPost, forEach: "['one', 'two', 'three']", if: it != 'two', with: { text: "el \${{ it }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.each.map(s, s.id).join(' ') }}" } }
`,
  thread: `
id: thread
when: { every: 20s }
${SET_FREE}
then:
  - { id: long, do: social.createPost, fit: thread, with: { text: "${LONG}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.long.id }}" } }
`,
  threads: `
id: threads
when: { every: 1m, ${STREAMS} }
then:
  - { id: each, do: social.createPost, fit: thread, as: [bluesky, mastodon], forEach: "['one', 'two']", with: { text: "\${{ it }} ${LONG}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.each.map(s, s.id).join(' ') }}" } }
`,
  reply: `
id: reply
when: { every: 20s }
${SET_FREE}
then:
  - { id: a, do: social.createPost, with: { text: root } }
  - { do: social.createPost, with: { replyTo: "\${{ steps.a.id }}", text: reply } }
`,
  accounts: `
id: accounts
when: { every: 30s }
${SET_FREE}
then:
  - { id: a, do: social.createPost, as: [bluesky, mastodon], with: { text: root } }
  - { do: social.createPost, as: [bluesky, mastodon], with: { replyTo: "\${{ steps.a.own.id }}", text: "reply \${{ steps.a.on.bluesky.id }}" } }
`,
  reads: `
id: reads
when: { every: 1m, ${STREAMS} }
then:
  - { id: who, do: streaming.getUser, with: { user: "\${{ item.owner.handle }}" } }
  - { do: discord.send, with: { channel: live, content: "live: \${{ steps.who.displayName }}" } }
`,
  card: `
id: card
when: { every: 10s, ${STREAMS}, grace: 30s }
${SET_FREE}
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} is live" } }
  - wait: 45s
  - { do: discord.send, with: { channel: live, content: "still \${{ steps.card.id }} at \${{ date(now, 'UTC', 'time') }}" } }
while:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ string(item.viewerCount) }} watch" } }
finally:
  - { do: discord.send, with: { channel: log, content: "\${{ steps.card.id }} was live for \${{ duration(episode.lengthMs) }}" } }
  - wait: 20s
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
`,
  lines: `
id: lines
when: { every: 10s, ${STREAMS}, changes: [{ rose: { field: viewerCount, above: [100, 200] } }, { changed: [title] }, left] }
${SET_FREE}
then:
  - { id: told, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} \${{ change.kind }} \${{ item.viewerCount }}" } }
  - { do: discord.send, with: { channel: log, content: "\${{ steps.told.id }}" } }
`,
  slot: `
id: slot
when: { every: 1m, ${STREAMS}, per: slot }
then:
  - { id: all, do: discord.send, forEach: items, with: { channel: live, content: "\${{ it.id }} of \${{ items.size() }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.all.size() }} at \${{ date(now, 'UTC', 'time') }}" } }
`,
  poll: `
id: poll
when: { every: 30s, ${STREAMS}, per: poll, changes: [entered, left] }
then:
  - { id: sum, do: discord.send, with: { channel: live, content: "\${{ changes.entered.size() }} and \${{ changes.left.size() }}" } }
  - { do: discord.send, with: { channel: log, content: "\${{ steps.sum.id }}" } }
`,
  both: `
id: both
when: { every: 30s, ${STREAMS}, account: [twitch, kick] }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} on \${{ item.account }}" } }
`,
  ask: `
id: ask
when: { every: 30s, ${STREAMS} }
then:
  - { id: verdict, do: discord.ask, maxAge: 2m, with: { channel: mods, content: "\${{ item.owner.displayName }}?", choices: [a, b] } }
  - { do: discord.send, with: { channel: live, content: "answered: \${{ steps.verdict.choice }} by \${{ steps.verdict.by.displayName }}" } }
  - { id: unheard, do: discord.ask, maxAge: 40s, with: { channel: mods, content: "\${{ item.owner.displayName }}, really?", choices: [a, b] } }
  - { do: discord.send, if: "steps.unheard.choice != 'b'", with: { channel: live, content: nobody } }
`,
  restart: `
id: restart
mode: restart
when: { every: 20s }
${SET_FREE}
then:
  - { id: now, do: discord.send, with: { channel: live, content: now } }
  - wait: 30s
  - { do: discord.send, with: { channel: live, content: "never \${{ steps.now.id }}" } }
`,
  single: `
id: single
mode: single
when: { every: 20s }
${SET_FREE}
then:
  - { id: now, do: discord.send, with: { channel: live, content: now } }
  - wait: 30s
  - { do: discord.send, with: { channel: live, content: "later \${{ steps.now.id }}" } }
`,
  held: `
id: held
when: { every: 2m, ${STREAMS}, changes: [entered, left] }
quiet: { from: "18:02", to: "18:05", timezone: UTC, then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} \${{ change.kind }} at \${{ date(now, 'UTC', 'time') }}" } }
`,
  deferredSlot: `
id: held-slot
when: { every: 7m }
quiet: { from: "18:06", to: "18:08", timezone: UTC, then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "at \${{ date(now, 'UTC', 'time') }}" } }
`,
  quietHoursEnded: `
id: handed-over
when: { every: 2m, ${STREAMS} }
quiet:
  from: "17:59"
  to: "18:09"
  timezone: UTC
  then:
    - { id: sum, do: discord.send, forEach: held, with: { channel: live, content: "\${{ it.item.owner.displayName }} \${{ it.kind }}" } }
    - { do: discord.send, with: { channel: live, content: "\${{ steps.sum.map(s, s.id).join(' ') }} of \${{ held.size() }}" } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }}" } }
`,
  cron: `
id: cron
when: { cron: "*/2 * * * *", timezone: UTC }
then:
  - { id: a, do: discord.send, with: { channel: live, content: "at \${{ date(now, 'UTC', 'time') }}" } }
  - { do: discord.edit, with: { message: "\${{ steps.a.id }}", content: "\${{ steps.a.id }}" } }
`,
};

/** Rules in which everything comes together. */
export const WILD = rulesIn([
  `
id: wild
when: { every: 20s, ${STREAMS}, changes: [entered, { changed: [title] }, left], grace: 40s }
${SET_FREE}
mode: queued
quiet: { from: "18:03", to: "18:04", timezone: UTC, then: hold }
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], fit: thread, onError: stop, retry: { for: 1m }, with: { text: "\${{ item.title }} ${LONG}" } }
  - { id: verdict, do: discord.ask, maxAge: 50s, with: { channel: mods, content: "\${{ steps.post.url }}?", choices: [a, b] } }
  - wait: 30s
  - { id: all, do: discord.send, forEach: item.tags, with: { channel: live, content: "\${{ it }} answer: \${{ steps.verdict.choice }}" } }
  - { do: discord.send, with: { channel: live, content: "all: \${{ steps.all.map(s, s.id).join(' ') }} \${{ steps.post.on.mastodon.id }}" } }
while:
  - { do: discord.edit, with: { message: "\${{ steps.verdict.id }}", content: "\${{ string(item.viewerCount) }} watch" } }
finally:
  - wait: 20s
  - { do: discord.send, with: { channel: live, content: "was live for \${{ duration(episode.lengthMs) }} \${{ steps.verdict.id }}" } }
`,
  RULES['card'] ?? '',
  RULES['lines'] ?? '',
  RULES['quietHoursEnded'] ?? '',
]);
