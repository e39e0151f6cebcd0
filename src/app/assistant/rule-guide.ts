/** What a model needs to know in order to write a rule that passes the check. */
export const RULE_GUIDE = `Keeps a draft of a rule of Fanfare for the person who asked for one. It does not run: below your answer they see it with a button, and whoever may operate presses that. It is checked first; where something is wrong, you are told what and where: put it right and call this again.

A rule is one YAML file: when to look, at what, and what to do with each change. Example:

id: chess-tops            # small letters, digits and -
about: Tells of who enters the top 3 of Chess.
when:
  every: 5m               # or cron: "0 9 * * *" with timezone: Europe/Berlin, or at: 2026-12-24T18:00:00Z
  watch: streaming.getGameStreams   # absent: fires at every slot
  with: { game: Chess }
  where: item.viewerCount >= 100    # CEL
  take: 3                 # of a top list: so many places
  on: entered             # or left, moved, { changed: [title] }, { rose: viewerCount, above: 1000 }
  settle: 10m             # so long it has to stay so
cooldown: 6h              # per item
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} plays \${{ item.game.name }}: \${{ item.url }}" }

Somebody who goes live: watch: streaming.getStreams, with: { users: [ada] }, grace: 15m instead of settle.
New clips: streaming.getGameClips { game, sort: TIME } or streaming.getUserClips { user }; new videos: streaming.getUserVideos { user }; new posts: social.getPosts { user }.
An item of a stream has owner.displayName, owner.handle, title, game.name, viewerCount, url, thumbnailUrl, startedAt, tags, language; a clip title, owner, viewCount, url; a post author, text, url.
Steps: discord.send { channel, content, embed: { title, url, description, image } }, discord.edit { message: "\${{ steps.<id>.id }}", … } in while: and finally:, social.createPost { text }, assistant.ask { text }. A step may have id, if (CEL) and account.
Leave enabled away: approving it is what turns it on. Nobody is pinged unless a step has mention: [Role].`;

export const TESTS_GUIDE = `Tests of the rule, as YAML; they are run, and all have to pass. Example:

rule: chess-tops
start: 2026-11-20T18:00:00Z
cases:
  - it: says something of who is new, and nothing at the first look
    polls:
      - { at: 0s, items: [{ key: ada }] }
      - { at: 5m, items: [{ key: ada }, { key: grace }] }
      - { at: 10m, items: [{ key: ada }, { key: grace }] }
      - { at: 15m, items: [{ key: ada }, { key: grace }] }
    expect:
      - { at: 15m, do: discord.send, with: { content: "/grace/" } }`;
