import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { runs } from '../../support/property.ts';
import { openApp } from '../app-fixture.ts';
import { hostileText } from '../following/hostile-texts.ts';

const rules = {
  'echo.yaml': `
id: echo
about: Shows what you typed
when:
  command: echo
  public: true
  options: { text: { type: string, about: A text, required: true } }
then:
  - do: discord.answer
    with:
      content: "!\${{ command.options.text }}"
      embed: { title: "\${{ command.options.text }}", description: "\${{ command.user.displayName }} typed \${{ command.options.text }}" }
`,
};

test('the answer to a command pings no one, whatever a member types', async () => {
  await using app = await openApp('', { rules });

  await fc.assert(
    fc.asyncProperty(
      hostileText.filter((text) => text.length > 0),
      async (text) => {
        const { id } = await app.interact({ user: app.people[0], channel: 'general', command: 'echo', options: { text } });
        const message = await vi.waitFor(async () => {
          const { message: now } = await app.control<InteractionView>(`/discord/interactions/${id}`);
          if (!now || now.loading) throw new Error('the bot is thinking');
          return now;
        }, 50_000);

        expect(message.pinged).toEqual({ everyone: false, roles: [], users: [] });
        expect(message.content).toMatch(/^!/u);
      },
    ),
    { numRuns: runs(8, 200) },
  );
});
