import { catalogue } from '#src/clients/catalogue.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Rule } from '#src/rules/rule.ts';

const SOURCE = `
id: live
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada, grace] }
  grace: 5m
then:
  - id: post
    do: social.createPost
    as: [x, mastodon]
    with: { text: "\${{ item.owner.displayName }} is live" }
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", content: "was live" }
`;

/** The rule of the recorded state. */
export function liveRule(): Rule {
  const accounts = {
    streaming: { all: ['twitch'], defaults: ['twitch'] },
    social: { all: ['x', 'mastodon'], defaults: ['x'] },
    discord: { all: ['discord'], defaults: ['discord'] },
  };
  const { rules, diagnostics } = checkRule({ file: 'rules/live.yaml', source: SOURCE, catalogue, accounts });
  const [rule] = rules;
  if (!rule) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return rule;
}
