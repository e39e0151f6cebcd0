/** An example of each key of a rule file: a part of a rule, by section and key. */
export const KEY_EXAMPLES: Readonly<Record<string, string>> = {
  'rule.id': `id: live-card`,
  'rule.was': `was: stream-card`,
  'rule.about': `about: Posts a card when Ada or Grace goes live.`,
  'rule.vars': `
vars: { least: 100 }
if: item.viewerCount >= vars.least`,
  'rule.enabled': `enabled: false`,
  'rule.each': `
each:
  on:
    - { id: valorant, game: VALORANT, channel: valorant }
    - { id: chess, game: Chess, channel: chess }
when: { every: 5m, watch: streaming.getGameStreams, with: { game: "\${{ each.on.game }}" }, take: 3, settle: 10m }`,
  'rule.when': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }`,
  'rule.if': `if: item.viewerCount >= 100`,
  'rule.mode': `mode: restart`,
  'rule.max': `max: 20`,
  'rule.cooldown': `cooldown: 6h`,
  'rule.cooldown.for': `cooldown: { for: 1h, per: rule }`,
  'rule.cooldown.per': `cooldown: { for: 1h, per: rule }`,
  'rule.quiet': `quiet: { from: "23:00", to: "08:00", timezone: Europe/Paris, then: hold }`,
  'rule.quiet.from': `quiet: { from: "23:00", to: "08:00", then: drop }`,
  'rule.quiet.to': `quiet: { from: "23:00", to: "08:00", then: drop }`,
  'rule.quiet.timezone': `quiet: { from: "23:00", to: "08:00", timezone: America/New_York, then: drop }`,
  'rule.quiet.then': `
quiet:
  from: "23:00"
  to: "08:00"
  then:
    - do: discord.send
      with: { channel: live, content: "While you slept: \${{ held.map(h, h.item.owner.displayName).join(', ') }}" }`,
  'rule.fuse': `fuse: { firings: 80, per: 1h }`,
  'rule.fuse.firings': `fuse: { firings: 80 }`,
  'rule.fuse.per': `fuse: { firings: 80, per: 1h }`,
  'rule.then': `
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} is live: \${{ item.url }}" }`,
  'rule.while': `
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
while:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }}, \${{ item.viewerCount }} viewers" }`,
  'rule.finally': `
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", content: "Live for \${{ duration(episode.lengthMs) }}" }`,

  'when.every': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }`,
  'when.cron': `when: { cron: "0 18 * * 5", timezone: Europe/Paris, watch: streaming.getTopStreams, take: 5, per: slot }`,
  'when.at': `when: { at: "2030-12-24 18:00", timezone: Europe/Paris, watch: streaming.getTopStreams, take: 5, per: slot }`,
  'when.timezone': `when: { cron: "0 9 * * *", timezone: America/New_York, watch: streaming.getTopStreams, take: 5, per: slot }`,
  'when.missed': `when: { cron: "0 9 * * *", missed: skip, watch: streaming.getTopStreams, take: 5, per: slot }`,
  'when.maxAge': `when: { cron: "0 9 * * *", maxAge: 6h, watch: streaming.getTopStreams, take: 5, per: slot }`,
  'when.watch': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, settle: 10m }`,
  'when.with': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, settle: 10m }`,
  'when.account': `when: { every: 1m, watch: streaming.getStreams, account: [twitch, kick], with: { users: [ada] } }`,
  'when.include': `when: { every: 1m, watch: social.getMentions, include: [followers, direct] }`,
  'when.where': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, where: item.viewerCount >= 100 }`,
  'when.take': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, take: 3, settle: 10m }`,
  'when.key': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, key: item.id }`,
  'when.changes': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, changes: [entered, left] }`,
  'when.changes.moved': `
when:
  every: 5m
  watch: streaming.getGameStreams
  with: { game: Chess }
  changes: [{ moved: up }]
  per: poll
then:
  - do: discord.send
    with: { channel: live, content: "\${{ changes.moved.map(c, c.item.owner.displayName).join(', ') }} moved up" }`,
  'when.changes.changed': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, changes: [{ changed: [title, game.name] }] }`,
  'when.changes.rose': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ rose: { field: viewerCount, above: [1000, 5000] } }]`,
  'when.changes.rose.field': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ rose: { field: viewerCount, above: 1000 } }]`,
  'when.changes.rose.above': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ rose: { field: viewerCount, above: [1000, 5000] } }]`,
  'when.changes.rose.rearm': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ rose: { field: viewerCount, above: [1000, 5000], rearm: [800, 4000] } }]`,
  'when.changes.fell': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ fell: { field: viewerCount, below: 100 } }]`,
  'when.changes.fell.field': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ fell: { field: viewerCount, below: 100 } }]`,
  'when.changes.fell.below': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ fell: { field: viewerCount, below: [100, 50] } }]`,
  'when.changes.fell.rearm': `
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  changes: [{ fell: { field: viewerCount, below: 100, rearm: 150 } }]`,
  'when.confirm': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, confirm: 3 }`,
  'when.confirm.new': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, confirm: { new: 2 } }`,
  'when.confirm.gone': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, confirm: { gone: 5 } }`,
  'when.settle': `when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, take: 3, settle: 10m }`,
  'when.grace': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 15m }`,
  'when.first': `when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, first: fire }`,
  'when.per': `when: { cron: "0 18 * * 0", watch: streaming.getTopStreams, take: 5, per: slot }`,

  'step.wait': `
then:
  - wait: 10m
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} has been live for ten minutes" }`,
  'step.id': `
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
  - do: discord.react
    with: { message: "\${{ steps.card.id }}", emoji: 🎉 }`,
  'step.do': `
then:
  - do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.with': `
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.title }}", mention: [Live] }`,
  'step.if': `
then:
  - if: item.viewerCount >= 1000
    do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }`,
  'step.as': `
then:
  - as: [mastodon, bluesky]
    do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is live: \${{ item.url }}" }`,
  'step.forEach': `
then:
  - forEach: item.tags
    do: discord.send
    with: { channel: live, content: "\${{ string(index) }}: \${{ it }}" }`,
  'step.fit': `
then:
  - fit: thread
    do: social.createPost
    with: { text: "\${{ item.title }} \${{ item.url }}" }`,
  'step.onError': `
then:
  - onError: stop
    do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.include': `
when: { cron: "0 9 * * *" }
then:
  - id: mentions
    do: social.getMentions
    include: [followers]
  - if: steps.mentions.items.size() > 0
    do: social.sendMessage
    with: { user: ada, text: "\${{ string(steps.mentions.items.size()) }} mentions" }`,
  'step.audience': `
when: { every: 1m, watch: social.getMentions, include: [direct] }
then:
  - audience: public
    do: discord.send
    with: { channel: live, content: "\${{ item.author.displayName }} wrote to us" }`,
  'step.strict': `
then:
  - strict: true
    do: discord.send
    with: { channel: live, content: Ada is live, mention: [Live] }`,
  'step.retry': `
then:
  - retry: { for: 1h, attempts: 5 }
    do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.retry.for': `
then:
  - retry: { for: 1h }
    do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.retry.attempts': `
then:
  - retry: { attempts: 5 }
    do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.afterEnd': `
then:
  - { id: card, do: discord.send, with: { channel: live, content: Ada is live } }
  - wait: 4h
  - afterEnd: true
    do: discord.send
    with: { channel: live, content: "\${{ episode.open ? 'Still live' : 'See you tomorrow' }}" }`,
  'step.maxAge': `
then:
  - maxAge: 10m
    do: discord.send
    with: { channel: live, content: Ada is live }`,
  'step.answerWithin': `
then:
  - id: verdict
    do: discord.ask
    answerWithin: 12h
    with: { channel: moderators, content: Shall this go out?, choices: [send, drop] }
  - if: steps.verdict.choice == "send"
    do: discord.send
    with: { channel: live, content: Ada is live }`,
};
