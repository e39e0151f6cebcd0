import { expect } from 'vitest';
import type { AssistantConversation, AssistantMessage } from '#src/assistant/records.ts';
import type { Choice } from '#src/social/arguments.ts';
import { answers, one, row, type Case, type Row } from '../rows.ts';
import type { SocialGround } from './ground.ts';

const GAME = 'VALORANT';
const QUESTION = `Who is live with ${GAME}?`;
const viewers = new Intl.NumberFormat('en', { notation: 'compact' });

/** What the assistant knows: who is live. */
function answerOf({ world, nowMs }: SocialGround): string {
  const live = world.liveAt(nowMs).filter(({ game }) => game.name === GAME);
  const lines = live
    .slice(0, 3)
    .map(
      ({ person, title, viewerCount }) => `- **${person.displayName}** plays ${GAME} for ${viewers.format(viewerCount)} viewers: ${title}`,
    );
  return `${live.length} channels are live with ${GAME}. Most watched:\n\n${lines.join('\n')}`;
}

function seenMessage({ role, text, createdAt }: AssistantMessage): unknown {
  return { role, text, createdAt };
}

/** A conversation with something said in it; its id is a number. */
async function begun({ transcripts, nowMs }: SocialGround, id: string): Promise<string> {
  const at = new Date(nowMs - 60_000);
  await transcripts.begin(id, at);
  await transcripts.append(id, { id: 'q', role: 'user', text: 'Do you like chess?', createdAt: at });
  await transcripts.append(id, { id: 'a', role: 'assistant', text: 'Very much.', createdAt: at, answers: 'q' });
  return id;
}

const forms: Readonly<
  Record<string, (ground: SocialGround, id: string) => Choice<AssistantConversation> | Promise<Choice<AssistantConversation>>>
> = {
  'conversation_id: str': (_, id) => id,
  'conversation_id: int': (_, id) => Number(id),
  'conversation_id: AssistantConversation': ({ client }, id) => client.getAssistantConversation(id),
};

/** Both turns stand at the end of the conversation afterwards, and the answer is true. */
function asks(form: string, id: string | undefined): Case<SocialGround> {
  return one({
    form,
    async prove(ground) {
      const chosen = id === undefined ? undefined : await forms[form]?.(ground, await begun(ground, id));
      const before = id === undefined ? [] : await ground.transcripts.read(id);

      const [answer, conversation] = await ground.client.getAssistantResponse(QUESTION, { conversation: chosen });

      const after = await ground.transcripts.read(conversation.id);
      const createdAt = new Date(ground.nowMs);
      if (id !== undefined) expect(conversation.id).toBe(id);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.slice(before.length).map(seenMessage)).toEqual([
        { role: 'user', text: QUESTION, createdAt },
        { role: 'assistant', text: answerOf(ground), createdAt },
      ]);
      expect([answer, ...conversation.messages]).toEqual([after.at(-1), ...after]);
    },
  });
}

export function assistantRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'create_assistant_conversation',
      one({
        form: 'no argument',
        async prove(ground) {
          const id = await ground.client.createAssistantConversation();

          expect(await ground.transcripts.begunAt(id)).toEqual(new Date(ground.nowMs));
          expect(await ground.transcripts.read(id)).toEqual([]);
        },
      }),
    ),
    row<SocialGround>(
      'get_assistant_conversation',
      answers(
        Object.fromEntries(
          Object.entries(forms).map(([form, chosen]) => [form, async (ground: SocialGround) => chosen(ground, await begun(ground, '42'))]),
        ),
        {
          call: ({ client }, conversation) => client.getAssistantConversation(conversation),
          seen: ({ id, provider, model, title, createdAt, messages }) => ({ id, provider, model, title, createdAt, messages }),
          holds: async ({ transcripts, nowMs }) => ({
            id: '42',
            provider: 'assistant',
            model: 'sandbox-1',
            title: 'Do you like chess?',
            createdAt: new Date(nowMs - 60_000),
            messages: await transcripts.read('42'),
          }),
        },
      ),
    ),
    row<SocialGround>(
      'get_assistant_response',
      asks('text', undefined),
      Object.keys(forms).map((form, index) => asks(form, String(50 + index))),
    ),
  ];
}
