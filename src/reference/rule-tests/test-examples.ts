/** The rules of the examples, by id. */
export const TESTED_RULES: Readonly<Record<string, string>> = {
  'live-card': `
id: live-card
about: Posts a card when a stream starts, and closes it with the recording.
each:
  on: [ada, grace]
when: { every: 1m, watch: streaming.getStreams, with: { users: ["\${{ each.on }}"] }, grace: 15m }
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} plays \${{ item.game.name }}" }
finally:
  - id: vods
    do: streaming.getUserVideos
    onError: continue
    with: { user: "\${{ item.owner.handle }}" }
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", content: "Recordings: \${{ steps.vods.items.map(v, v.url).join(' ') }}" }`,
  'ask-first': `
id: ask-first
about: A moderator decides what is posted about a mention.
when: { every: 2m, watch: social.getMentions }
then:
  - id: verdict
    do: discord.ask
    answerWithin: 12h
    with: { channel: moderators, content: "\${{ item.text }}", choices: [send, drop] }
  - do: social.createPost
    if: steps.verdict.choice == "send"
    with: { replyTo: "\${{ item.id }}", text: "\${{ either(steps.verdict.text, 'Thank you!') }}" }`,
  team: `
id: team
about: Announces the streams of a team.
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] } }
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} plays \${{ item.game.name }}" }`,
};

/** An example of each key of a test file: a whole test file, which passes. */
export const TEST_EXAMPLES: Readonly<Record<string, string>> = {
  rule: `
rule: live-card
cases:
  - it: announces a stream
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  start: `
rule: live-card
start: 2026-12-24T22:00:00Z
cases:
  - it: announces a stream at night
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  each: `
rule: live-card
each: { on: grace }
cases:
  - it: announces Grace
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: grace }] }
    expect:
      - { at: 1m, do: discord.send, with: { content: "/^grace plays/" } }`,
  cases: `
rule: live-card
cases:
  - it: announces a stream
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }

  - it: announces nothing at the first poll
    polls:
      - { at: 0m, items: [{ key: ada }] }
    expect: []`,
  'cases.it': `
rule: live-card
cases:
  - it: announces nothing at the first poll
    polls:
      - { at: 0m, items: [{ key: ada }] }
    expect: []`,
  'cases.each': `
rule: live-card
cases:
  - it: announces Grace
    each: { on: grace }
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: grace }] }
    expect:
      - { at: 1m, do: discord.send }`,
  'cases.polls': `
rule: live-card
cases:
  - it: announces a second stream of the same channel
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada, id: first }] }
      - { at: 2m, items: [] }
      - { at: 18m, items: [] }
      - { at: 60m, items: [{ key: ada, id: second }] }
    expect:
      - { at: 1m, do: discord.send }
      - { at: 18m, do: discord.edit }
      - { at: 60m, do: discord.send }`,
  'cases.polls.at': `
rule: live-card
cases:
  - it: announces a stream after an hour and a half
    polls:
      - { at: 0m, items: [] }
      - { at: 1h30m, items: [{ key: ada }] }
    expect:
      - { at: 1h30m, do: discord.send }`,
  'cases.polls.items': `
rule: live-card
cases:
  - it: names the game
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada, viewerCount: 900, game: { name: Chess }, owner: { displayName: Ada } }] }
    expect:
      - { at: 1m, do: discord.send, with: { content: Ada plays Chess } }`,
  'cases.polls.error': `
rule: live-card
cases:
  - it: ends no stream after a failed poll
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
      - { at: 2m, error: unavailable }
      - { at: 30m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  'cases.polls.restart': `
rule: live-card
cases:
  - it: announces once, even after a restart
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
      - { at: 1m, restart: true }
      - { at: 2m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  'cases.polls.answers': `
rule: live-card
cases:
  - it: closes the card with the recordings
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
      - { at: 2m, items: [], answers: { vods: [{ key: v1, url: "https://example.com/v1" }, { key: v2, url: "https://example.com/v2" }] } }
      - { at: 18m, items: [] }
    expect:
      - { at: 1m, do: discord.send }
      - { at: 18m, do: discord.edit, with: { content: "Recordings: https://example.com/v1 https://example.com/v2" } }`,
  'cases.polls.fail': `
rule: live-card
cases:
  - it: sends nothing if Discord refuses the card
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }], fail: [card] }
      - { at: 2m, items: [{ key: ada }] }
    expect: []`,
  'cases.expect': `
rule: live-card
cases:
  - it: announces only the stream that starts
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  'cases.expect.at': `
rule: live-card
cases:
  - it: closes the card after grace
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
      - { at: 2m, items: [] }
      - { at: 10m, items: [] }
      - { at: 17m, items: [] }
    expect:
      - { at: 1m, do: discord.send }
      - { at: 17m, do: discord.edit }`,
  'cases.expect.do': `
rule: live-card
cases:
  - it: announces a stream
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send }`,
  'cases.expect.as': `
rule: live-card
cases:
  - it: announces a stream in Discord
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send, as: discord }`,
  'cases.expect.with': `
rule: live-card
cases:
  - it: names the streamer
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada }] }
    expect:
      - { at: 1m, do: discord.send, with: { channel: live, content: "/^ada plays/" } }`,
};

/** Examples of answers to questions. */
export const ANSWER_EXAMPLES: readonly string[] = [
  `
rule: ask-first
cases:
  - it: posts the text of the moderator
    polls:
      - { at: 0m, items: [] }
      - { at: 2m, items: [{ key: p1 }] }
      - { at: 30m, items: [{ key: p1 }], answers: { verdict: { text: "See you on Friday!", by: grace } } }
    expect:
      - { at: 2m, do: discord.ask, with: { channel: moderators } }
      - { at: 30m, do: social.createPost, with: { replyTo: p1, text: "See you on Friday!" } }

  - it: posts nothing if the moderator drops it
    polls:
      - { at: 0m, items: [] }
      - { at: 2m, items: [{ key: p1 }] }
      - { at: 30m, items: [{ key: p1 }], answers: { verdict: { choice: drop } } }
    expect:
      - { at: 2m, do: discord.ask }

  - it: posts nothing if nobody answers
    polls:
      - { at: 0m, items: [] }
      - { at: 2m, items: [{ key: p1 }] }
    expect:
      - { at: 2m, do: discord.ask }`,
];

/** Examples of several streams at the same time. */
export const SEVERAL_STREAMS: readonly string[] = [
  `
rule: team
cases:
  - it: announces two streams of one poll
    polls:
      - { at: 0m, items: [] }
      - { at: 1m, items: [{ key: ada, game: { name: Chess } }, { key: grace, game: { name: Go } }] }
    expect:
      - { at: 1m, do: discord.send, with: { content: grace plays Go } }
      - { at: 1m, do: discord.send, with: { content: ada plays Chess } }`,
];
