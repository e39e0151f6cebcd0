import { describe, expect, test } from 'vitest';
import { runCases } from './cases.ts';

const STREAMS = 'watch: streaming.getStreams, with: { users: [ada, grace] }';

/** A rule that watches channels, with these steps. */
function live(steps: string, over = ''): string {
  return `id: x\nwhen: { every: 1m, ${STREAMS} }\n${over}${steps}`;
}

interface Story {
  readonly what: string;
  readonly rule: string;
  readonly cases: string;
}

const STORIES: readonly Story[] = [
  {
    what: 'a wait: later steps run at its end, and `now` is its end',
    rule: live(`
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
  - wait: 10m
  - { do: discord.send, with: { channel: live, content: "\${{ date(now, 'UTC', 'time') }} \${{ steps.card.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 5m, items: [{ key: ada }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: "ada's title" } }
        - { at: 11m, do: discord.send, with: { content: "/6:11.*PM card-1/" } }`,
  },
  {
    what: 'a wait ends on time between two lines, even after a restart',
    rule: live(`
then:
  - wait: 90s
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, restart: true }
        - { at: 3m, items: [{ key: ada }] }
      expect:
        - { at: 2m30s, do: discord.send }`,
  },
  {
    what: 'a wait in finally: it is withdrawn when the same stream continues, and results are read at its end',
    rule: live(`
then:
  - { id: card, do: discord.send, with: { channel: live, content: hi } }
finally:
  - wait: 10m
  - { id: vods, do: streaming.getUserVideos, with: { user: "\${{ item.owner.handle }}" } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ steps.vods.items.map(v, v.title).join(\\", \\") }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
        - { at: 8m, items: [{ key: ada }] }
        - { at: 14m, items: [] }
        - { at: 15m, items: [], answers: { vods: [{ title: one }, { title: two }] } }
        - { at: 16m, items: [] }
      expect:
        - { at: 1m, do: discord.send }
        - { at: 25m, do: streaming.getUserVideos }
        - { at: 25m, do: discord.edit, with: { message: card-1, content: "one, two" } }`,
  },
  {
    what: 'cron: slots without a poll are downtime, and a stream that began long ago in it is not announced',
    rule: `
id: live
when: { cron: "0 * * * *", timezone: UTC, watch: streaming.getStreams, with: { users: [ada, grace] } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }}" } }]`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 5h, items: [{ key: ada, startedAt: "2026-11-20T19:30:00Z" }, { key: grace, startedAt: "2026-11-20T22:50:00Z" }] }
      expect:
        - { at: 5h, do: discord.send, with: { content: grace } }`,
  },
  {
    what: 'a list: a step for each element, and one expectation for all of them or one for each',
    rule: live(`
then:
  - { id: greet, do: discord.send, forEach: 'item.tags', with: { channel: live, content: "\${{ it }} \${{ index }}" } }
  - { do: discord.send, with: { channel: done, content: "\${{ steps.greet.map(s, s.id).join(\\" \\") }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, tags: [red, blue] }] }
        - { at: 2m, items: [{ key: ada }, { key: grace, tags: [green, gold] }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: blue 1 } }
        - { at: 1m, do: discord.send, with: { content: red 0 } }
        - { at: 1m, do: discord.send, with: { channel: done, content: greet-1 greet-2 } }
        - { at: 2m, do: discord.send, with: { channel: live } }
        - { at: 2m, do: discord.send, with: { channel: done, content: greet-3 greet-4 } }`,
  },
  {
    what: 'a thread: each post replies to the one before it',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], fit: thread, with: { text: "\${{ item.title }} one two three four" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.post.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, title: Some title }] }
      expect:
        - { at: 1m, do: social.createPost, as: mastodon, with: { text: Some title one two three four } }
        - { at: 1m, do: social.createPost, as: bluesky, with: { text: "/^Some title one/" } }
        - { at: 1m, do: social.createPost, as: bluesky, with: { text: "/four$/", replyTo: post-1 } }
        - { at: 1m, do: discord.send, with: { content: post-1 } }`,
  },
  {
    what: 'the removal of a thread: each post, the last one first',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], fit: thread, with: { text: "\${{ item.title }} one two three four" } }
finally:
  - { do: social.deletePost, as: [bluesky, mastodon], with: { post: "\${{ steps.post.own.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, title: Some title }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
        - { at: 4m, items: [] }
      expect:
        - { at: 1m, do: social.createPost, as: mastodon }
        - { at: 1m, do: social.createPost, as: bluesky, with: { text: "/^Some title one/" } }
        - { at: 1m, do: social.createPost, as: bluesky, with: { text: "/four$/" } }
        - { at: 3m, do: social.deletePost, as: bluesky, with: { post: post-2 } }
        - { at: 3m, do: social.deletePost, as: bluesky, with: { post: post-1 } }
        - { at: 3m, do: social.deletePost, as: mastodon }`,
  },
  {
    what: 'a post that an end deleted is not edited when the stream is back',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: mastodon, with: { text: hi } }
while:
  - { do: social.editPost, as: mastodon, with: { post: "\${{ steps.post.id }}", text: "\${{ item.title }}" } }
finally:
  - { do: social.deletePost, as: mastodon, with: { post: "\${{ steps.post.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, id: s1, title: one }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
        - { at: 4m, items: [{ key: ada, id: s1, title: two }] }
      expect:
        - { at: 1m, do: social.createPost }
        - { at: 3m, do: social.deletePost, with: { post: post-1 } }`,
  },
  {
    what: 'an event that an end deleted is not edited when the stream is back',
    rule: live(`
then:
  - { id: event, do: discord.createEvent, with: { name: hi, startsAt: "2030-01-01T18:00:00Z", endsAt: "2030-01-01T20:00:00Z", location: Twitch } }
while:
  - { do: discord.editEvent, with: { event: "\${{ steps.event.id }}", name: "\${{ item.title }}" } }
finally:
  - { do: discord.deleteEvent, with: { event: "\${{ steps.event.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, id: s1, title: one }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
        - { at: 4m, items: [{ key: ada, id: s1, title: two }] }
      expect:
        - { at: 1m, do: discord.createEvent }
        - { at: 3m, do: discord.deleteEvent }`,
  },
  {
    what: 'a role stays until the last stream ends, even if the steps name the member by a handle and the role by its name',
    rule: live(`
then:
  - { id: live, do: discord.addRole, with: { user: linus, role: Live } }
finally:
  - { do: discord.removeRole, with: { user: linus, role: Live } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }, { key: grace }], answers: { live: { id: '9', role: { id: '8', name: Live } } } }
        - { at: 2m, items: [{ key: grace }] }
        - { at: 3m, items: [{ key: grace }] }
        - { at: 4m, items: [] }
        - { at: 5m, items: [] }
      expect:
        - { at: 1m, do: discord.addRole }
        - { at: 1m, do: discord.addRole }
        - { at: 5m, do: discord.removeRole }`,
  },
  {
    what: 'own and on: a step reads the result of the same account, or of a named account',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], with: { text: hi } }
finally:
  - { do: social.createPost, as: [bluesky, mastodon], with: { replyTo: "\${{ steps.post.own.id }}", text: bye } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.post.on.mastodon.id }} \${{ steps.post.id }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
      expect:
        - { at: 1m, do: social.createPost, as: [mastodon, bluesky] }
        - { at: 3m, do: social.createPost, as: bluesky, with: { replyTo: post-1 } }
        - { at: 3m, do: social.createPost, as: mastodon, with: { replyTo: post-2 } }
        - { at: 3m, do: discord.send, with: { content: post-2 post-1 } }`,
  },
  {
    what: 'onError: stop: later steps are skipped after the last retry; the same step of another item runs',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], onError: stop, retry: { for: 5m }, with: { text: hi } }
  - { do: discord.send, with: { channel: live, content: posted } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }], fail: [post.mastodon] }
        - { at: 2m, items: [{ key: ada }, { key: grace }] }
      expect:
        - { at: 1m, do: social.createPost, as: bluesky }
        - { at: 2m, do: social.createPost }
        - { at: 2m, do: discord.send }`,
  },
  {
    what: 'retry: a step that reads a failed step runs without its result after the last attempt',
    rule: live(`
then:
  - { id: post, do: social.createPost, as: bluesky, retry: { attempts: 3 }, with: { text: hi } }
  - { do: discord.send, with: { channel: live, content: "live \${{ steps.post.url }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }], fail: [post.bluesky] }
      expect:
        - { at: 1m6s, do: discord.send, with: { content: "live " } }`,
  },
  {
    what: 'if of a step, and the steps that read its result',
    rule: live(`
then:
  - { id: card, do: discord.send, if: item.viewerCount > 10, with: { channel: live, content: big } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: bigger } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, viewerCount: 5 }, { key: grace, viewerCount: 50 }] }
      expect:
        - { at: 1m, do: discord.send }
        - { at: 1m, do: discord.edit, with: { message: card-1 } }`,
  },
  {
    what: 'maxAge of a step counts from the result that it reads',
    rule: live(`
then:
  - { id: verdict, do: discord.ask, answerWithin: 2h, with: { channel: mods, content: Well?, choices: [yes, no] } }
  - { do: discord.send, maxAge: 1h, with: { channel: live, content: "said \${{ steps.verdict.choice }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
      expect:
        - { at: 1m, do: discord.ask }
        - { at: 2h1m, do: discord.send, with: { channel: live, content: "said " } }`,
  },
  {
    what: 'three questions in a row: each has its whole time',
    rule: live(`
then:
  - { id: one, do: discord.ask, maxAge: 30m, with: { channel: mods, content: One?, choices: [yes, no] } }
  - { id: two, do: discord.ask, maxAge: 30m, with: { channel: mods, content: "Two after \${{ steps.one.choice }}?", choices: [yes, no] } }
  - { id: three, do: discord.ask, maxAge: 30m, with: { channel: mods, content: "Three after \${{ steps.two.choice }}?", choices: [yes, no] } }
  - { do: discord.send, maxAge: 1m, with: { channel: live, content: "said \${{ steps.three.choice }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 30m, items: [{ key: ada }], answers: { one: { choice: yes } } }
        - { at: 80m, items: [{ key: ada }], answers: { three: { choice: no } } }
      expect:
        - { at: 1m, do: discord.ask, with: { content: One? } }
        - { at: 30m, do: discord.ask, with: { content: Two after yes? } }
        - { at: 1h, do: discord.ask, with: { content: "Three after ?" } }
        - { at: 80m, do: discord.send, with: { content: said no } }`,
  },
  {
    what: 'author.bot and author.self: absent fields are false',
    rule: `id: x
when: { every: 1m, watch: discord.getMessages, with: { channel: questions }, where: "!item.author.bot && !item.author.self" }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.content }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - at: 1m
          items:
            - { key: a, content: from a person }
            - { key: b, content: from a bot, author: { bot: true } }
            - { key: c, content: from Fanfare, author: { handle: x, self: true } }
            - { key: d, content: from another, author: { handle: y } }
      expect:
        - { at: 1m, do: discord.send, with: { content: from a person } }
        - { at: 1m, do: discord.send, with: { content: from another } }`,
  },
  {
    what: 'mode single: the next firing is suppressed during a delivery',
    rule: `id: x
when: { every: 1m, ${STREAMS}, changes: [{ changed: [title] }] }
mode: single
then:
  - { id: a, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
  - wait: 5m
  - { do: discord.edit, with: { message: "\${{ steps.a.id }}", content: over } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ key: ada, title: one }] }
        - { at: 1m, items: [{ key: ada, title: two }] }
        - { at: 2m, items: [{ key: ada, title: three }] }
        - { at: 7m, items: [{ key: ada, title: four }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: two } }
        - { at: 6m, do: discord.edit }
        - { at: 7m, do: discord.send, with: { content: four } }
        - { at: 12m, do: discord.edit }`,
  },
  {
    what: 'mode queued: a wait does not delay the next firing',
    rule: `id: x
when: { every: 1m, ${STREAMS}, changes: [{ changed: [title] }] }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
  - wait: 5m
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }} still" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ key: ada, title: one }] }
        - { at: 1m, items: [{ key: ada, title: two }] }
        - { at: 2m, items: [{ key: ada, title: three }, { key: grace, title: one }] }
        - { at: 3m, items: [{ key: ada, title: three }, { key: grace, title: two }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: two } }
        - { at: 3m, do: discord.send, with: { content: two } }
        - { at: 6m, do: discord.send, with: { content: two still } }
        - { at: 2m, do: discord.send, with: { content: three } }
        - { at: 7m, do: discord.send, with: { content: three still } }
        - { at: 8m, do: discord.send, with: { content: two still } }`,
  },
  {
    what: 'mode restart: the next firing replaces steps that have not begun',
    rule: `id: x
when: { every: 1m, ${STREAMS}, changes: [{ changed: [title] }] }
mode: restart
then:
  - wait: 5m
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ key: ada, title: one }] }
        - { at: 1m, items: [{ key: ada, title: two }] }
        - { at: 2m, items: [{ key: ada, title: three }] }
      expect:
        - { at: 7m, do: discord.send, with: { content: three } }`,
  },
  {
    what: 'quiet hours with hold: the rule runs again at their end',
    rule: `id: x
when: { every: 1m, ${STREAMS} }
quiet: { from: "18:30", to: "20:00", then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is live" } }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 31m, items: [{ key: ada }, { key: grace }] }
        - { at: 32m, items: [{ key: ada }] }
        - { at: 33m, items: [{ key: ada }] }
      expect:
        - { at: 2h, do: discord.send, with: { content: ada is live } }`,
  },
  {
    what: 'quiet hours with a failed poll at their end: the next good poll decides, even after a restart',
    rule: `id: x
when: { every: 1m, ${STREAMS} }
quiet: { from: "18:30", to: "20:00", then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is live" } }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 31m, items: [{ key: ada }] }
        - { at: 40m, error: unavailable }
        - { at: 50m, restart: true }
        - { at: 2h10m, items: [{ key: ada }] }
      expect:
        - { at: 2h10m, do: discord.send, with: { content: ada is live } }`,
  },
  {
    what: 'a fuse: later firings are suppressed, and open episodes are closed',
    rule: live(
      `
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }}" } }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }`,
      'fuse: { firings: 1, per: 1h }\n',
    ),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, items: [{ key: ada }, { key: grace }] }
        - { at: 3m, items: [] }
        - { at: 4m, items: [] }
        - { at: 3h, items: [{ key: grace, id: next }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: ada } }
        - { at: 4m, do: discord.edit, with: { message: card-1 } }`,
  },
  {
    what: 'a cooldown, across a restart',
    rule: live('then:\n  - { do: discord.send, with: { channel: live, content: hi } }', 'cooldown: 1h\n'),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, items: [] }
        - { at: 3m, items: [] }
        - { at: 4m, restart: true }
        - { at: 30m, items: [{ key: ada, id: second }] }
        - { at: 31m, items: [] }
        - { at: 32m, items: [] }
        - { at: 90m, items: [{ key: ada, id: third }] }
      expect:
        - { at: 1m, do: discord.send }
        - { at: 90m, do: discord.send }`,
  },
  {
    what: 'a while with a failed edit: the next poll replaces it, and an unchanged text is not sent again',
    rule: live(`
then:
  - { id: card, do: discord.send, with: { channel: live, content: hi } }
while:
  - { id: edit, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.viewerCount }} watch" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, viewerCount: 1 }] }
        - { at: 2m, items: [{ key: ada, viewerCount: 1 }], fail: [edit.discord] }
        - { at: 3m, items: [{ key: ada, viewerCount: 1 }] }
        - { at: 4m, restart: true }
        - { at: 5m, items: [{ key: ada, viewerCount: 1 }] }
        - { at: 6m, items: [{ key: ada, viewerCount: 2 }] }
      expect:
        - { at: 1m, do: discord.send }
        - { at: 3m, do: discord.edit, with: { content: 1 watch } }
        - { at: 6m, do: discord.edit, with: { content: 2 watch } }`,
  },
  {
    what: 'a slot of a list: with every, each line is a slot',
    rule: `id: x
when: { every: 7d, watch: streaming.getGameClips, with: { game: Chess }, take: 2, per: slot }
if: items.size() > 0
then:
  - { do: discord.send, with: { channel: clips, content: "\${{ items.map(c, string(c.rank) + c.title).join(\\" \\") }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ title: a }, { title: b }, { title: c }] }
        - { at: 7m, items: [] }
        - { at: 8m, items: [{ title: d }] }
      expect:
        - { at: 0m, do: discord.send, with: { content: 1a 2b } }
        - { at: 8m, do: discord.send, with: { content: 1d } }`,
  },
  {
    what: 'a rule with cron: it runs only at its slots, and a failed poll is repeated between them',
    rule: `id: x
when: { cron: "0 18 * * FRI,SAT", watch: streaming.getGameClips, with: { game: Chess }, per: slot }
if: items.size() > 0
then:
  - { do: discord.send, with: { channel: clips, content: "\${{ items.map(c, c.title).join(\\" \\") }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ title: a }] }
        - { at: 1h }
        - { at: 1d, error: unavailable }
        - { at: 24h1m, error: unavailable }
        - { at: 24h2m, items: [{ title: b }] }
        - { at: 2d }
        - { at: 7d, items: [{ title: c }] }
      expect:
        - { at: 0m, do: discord.send, with: { content: a } }
        - { at: 24h2m, do: discord.send, with: { content: b } }
        - { at: 7d, do: discord.send, with: { content: c } }`,
  },
  {
    what: 'a rule with at: it runs once, and people answer between slots',
    rule: `id: x
when: { at: "2026-11-20T19:00:00Z" }
then:
  - { id: verdict, do: discord.ask, with: { channel: mods, content: Well?, choices: [send, drop] } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.verdict.choice }}" } }`,
    cases: `
      polls:
        - { at: 0m }
        - { at: 1h }
        - { at: 65m, answers: { verdict: { choice: send } } }
        - { at: 2h }
      expect:
        - { at: 1h, do: discord.ask }
        - { at: 65m, do: discord.send, with: { content: send } }`,
  },
  {
    what: 'a rule without steps in then: the episode counts as announced, so while and finally run',
    rule: live(`
then: []
while:
  - { do: discord.put, with: { name: board, channel: live, content: "\${{ item.viewerCount }} watch" } }
finally:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }} was live for \${{ duration(episode.lengthMs) }}" } }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 2m, items: [{ key: ada, viewerCount: 5 }] }
        - { at: 3m, items: [{ key: ada, viewerCount: 5 }] }
        - { at: 3m, restart: true }
        - { at: 4m, items: [] }
        - { at: 30m, items: [] }
      expect:
        - { at: 2m, do: discord.put, with: { content: 5 watch } }
        - { at: 30m, do: discord.send, with: { content: "/was live for 2m/" } }`,
  },
  {
    what: 'a rule without then and a stream that was live before: nothing is announced, so finally does not run',
    rule: live(`
finally:
  - { do: discord.send, with: { channel: live, content: over } }`),
    cases: `
      polls:
        - { at: 0m, items: [{ key: ada }] }
        - { at: 1m, items: [{ key: ada }, { key: grace }] }
        - { at: 2m, items: [] }
        - { at: 30m, items: [] }
      expect:
        - { at: 30m, do: discord.send }`,
  },
  {
    what: 'a rule without then in quiet hours: the steps of quiet announce',
    rule: live(`
quiet: { from: "18:00", to: "19:00", then: [{ do: discord.send, with: { channel: live, content: "\${{ string(held.size()) }}" } }] }`),
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }
        - { at: 1h, items: [{ key: ada }] }
      expect:
        - { at: 1h, do: discord.send, with: { content: "1" } }`,
  },
  {
    what: 'a field with null: the platform does not send it',
    rule: `id: x
when: { every: 1m, watch: social.getPosts, account: bluesky, with: { user: ada } }
then:
  - forEach: item.media
    do: discord.send
    with: { channel: live, content: "\${{ it.altText == '' ? 'no text' : it.altText }}" }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: a, media: [{ altText: null }, { altText: cat }, {}] }] }
      expect:
        - { at: 1m, do: discord.send, with: { content: no text } }
        - { at: 1m, do: discord.send, with: { content: cat } }
        - { at: 1m, do: discord.send, with: { content: "/'s media's altText$/" } }`,
  },
  {
    what: 'a failing step at all its accounts',
    rule: `id: x
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], with: { text: "\${{ item.title }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }], fail: [post] }
      expect:
        - { at: 1m, do: discord.send }`,
  },
  {
    what: 'a rule with cron polls when it is added, and its first slot announces what is new since then',
    rule: `id: x
when: { cron: "0 19 * * *", watch: streaming.getUserVideos, with: { user: ada } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ key: v1, title: Old }] }
        - { at: 1h, items: [{ key: v2, title: New }, { key: v1, title: Old }] }
      expect:
        - { at: 1h, do: discord.send, with: { content: New } }`,
  },
  {
    what: 'a rule with cron reads the list again when its quiet hours end, and when limit allows an announcement',
    rule: `id: x
when: { cron: "30 18 * * *", watch: streaming.getStreams, with: { users: [ada, grace, mary, joan] } }
quiet: { from: "18:20", to: "19:00", then: hold }
limit: { firings: 1, per: 1h, then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }`,
    cases: `
      polls:
        - { at: 0m, items: [] }
        - { at: 30m, items: [{ key: ada }, { key: grace, title: Old }, { key: mary }, { key: joan, title: Late }] }
        - { at: 1h, items: [{ key: grace, title: New }, { key: mary }, { key: joan, title: Late }] }
        - { at: 2h, items: [{ key: joan, title: Late }] }
      expect:
        - { at: 1h, do: discord.send, with: { content: New } }
        - { at: 2h, do: discord.send, with: { content: Late } }`,
  },
  {
    what: 'a rule with cron that fires for each slot sends nothing when it is added',
    rule: `id: x
when: { cron: "0 19 * * *", watch: streaming.getUserVideos, with: { user: ada }, per: slot }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ items.size() }} videos" } }`,
    cases: `
      polls:
        - { at: 0m, items: [{ key: v1 }] }
        - { at: 1h, items: [{ key: v1 }] }
      expect:
        - { at: 1h, do: discord.send, with: { content: 1 videos } }`,
  },
  {
    what: 'a slot without a list in quiet hours: the last slot fires at their end',
    rule: `id: x
when: { every: 1h }
quiet: { from: "18:30", to: "20:30", then: hold }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ date(now, 'UTC', 'time') }}" } }`,
    cases: `
      polls: [{ at: 0m }, { at: 1h }, { at: 2h }]
      expect:
        - { at: 0m, do: discord.send }
        - { at: 2h30m, do: discord.send, with: { content: "/8:30/" } }`,
  },
];

describe('a case', () => {
  test.for(STORIES)('$what', async ({ rule, cases }) => {
    expect(await runCases(rule, cases)).toEqual(['✓ works']);
  });
});

test('a poll with items between two slots of cron is an error that names the next slot', async () => {
  const rule = `id: x
when: { cron: "0 18 * * FRI,SAT", watch: streaming.getGameClips, with: { game: Chess }, per: slot }
then:
  - { do: discord.send, with: { channel: clips, content: hi } }`;

  const [report = ''] = await runCases(rule, '\n      polls: [{ at: 7m, items: [{ title: a }] }, { at: 8m }]\n      expect: []');

  expect(report.split('\n').map((line) => line.trim())).toEqual([
    '✗ works rules/x.test.yaml:4',
    'line 5: the rule does not poll at 7m: its next slot is at 1d',
  ]);
});

const ASKING = live(`
then:
  - { id: verdict, do: discord.ask, maxAge: 1h, with: { channel: mods, content: Well?, choices: [send, drop] } }
  - { do: discord.send, with: { channel: live, content: "said \${{ steps.verdict.choice }} \${{ steps.verdict.by.displayName }} \${{ steps.verdict.text }}" } }`);

describe('the answer of a user', () => {
  test.for([
    {
      what: 'comes at once if the line of the question has it',
      polls: '[{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }], answers: { verdict: { choice: send, by: mia } } }]',
      then: '{ at: 1m, do: discord.send, with: { content: "said send mia " } }',
    },
    {
      what: 'comes with a later line',
      polls:
        '[{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }] }, { at: 9m, items: [{ key: ada }], answers: { verdict: { text: Hello } } }]',
      then: '{ at: 9m, do: discord.send, with: { content: "/^said send .*Hello$/" } }',
    },
    {
      what: 'comes with a restart',
      polls:
        '[{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }] }, { at: 9m, restart: true, answers: { verdict: { choice: drop } } }]',
      then: '{ at: 9m, do: discord.send, with: { content: "said drop  " } }',
    },
    {
      what: 'does not come: later steps run without it after maxAge',
      polls: '[{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }] }, { at: 2m, restart: true }]',
      then: '{ at: 1h1m, do: discord.send, with: { content: "said   " } }',
    },
  ])('$what', async ({ polls, then }) => {
    const printed = await runCases(ASKING, `\n      polls: ${polls}\n      expect: [{ at: 1m, do: discord.ask }, ${then}]`);

    expect(printed).toEqual(['✓ works']);
  });
});

const GAMES = `id: games
each:
  on:
    - { id: valorant, game: VALORANT }
    - { id: chess, game: Chess }
when: { every: 5m, watch: streaming.getGameStreams, with: { game: "\${{ each.on.game }}" } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ each.on.game }}" } }`;

describe('a case of a rule with each', () => {
  const polls = 'polls: [{ at: 0m, items: [] }, { at: 5m, items: [{ key: ada }] }]';

  test('tests the first rule by default', async () => {
    expect(await runCases(GAMES, `\n      ${polls}\n      expect: [{ at: 5m, do: discord.send, with: { content: VALORANT } }]`)).toEqual([
      '✓ works',
    ]);
  });

  test('tests the named rule', async () => {
    const cases = `\n      each: { on: chess }\n      ${polls}\n      expect: [{ at: 5m, do: discord.send, with: { content: Chess } }]`;

    expect(await runCases(GAMES, cases)).toEqual(['✓ works']);
  });

  test.for([
    { each: '{ on: ches }', error: 'line 4: each.on has no ches, did you mean chess?' },
    { each: '{ of: chess }', error: 'line 4: the rule has no each.of; available: on' },
  ])('reports $each', async ({ each, error }) => {
    expect((await runCases(GAMES, `\n      each: ${each}\n      ${polls}`)).join('\n')).toContain(error);
  });
});
