/** A failed and a sent message, a question, and a message with buttons. None of them runs without a request. */
export const RULES = {
  'greet.yaml': `
id: greet
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, as: [discord, berlin], with: { channel: nowhere, content: Hello } }
`,
  'quiet.yaml': `
id: quiet
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, as: discord, with: { channel: general, content: Hello } }
`,
  'doubt.yaml': `
id: doubt
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: hello, do: discord.send, as: discord, with: { channel: general, content: Hello } }
`,
  'question.yaml': `
id: question
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.ask, as: discord, with: { channel: general, content: "Shall I?", choices: [send, drop], roles: [Moderator] } }
`,
  'roles.yaml': `
id: roles
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - do: discord.send
    as: discord
    with: { channel: general, content: Choose, buttons: [{ label: Ping me, role: Live }] }
`,
  'card.yaml': `
id: card
when: { every: 24h, watch: streaming.getStreams, with: { users: [grace] }, key: item.owner.handle }
then:
  - do: discord.send
    as: discord
    with: { channel: general, content: Live, buttons: [{ label: Mute, mute: item, allow: [Moderator] }] }
`,
};
