import { expect, test } from 'vitest';
import { z } from 'zod';
import { createParsedResponses } from '#src/http/parsed-responses.ts';

const Text = z.object({ text: z.string() });

function respond(text: string) {
  const parsed: z.ZodType[] = [];
  const response = {
    status: 200,
    headers: {},
    text: JSON.stringify({ text }),
    json<T>(schema: z.ZodType<T>): T {
      parsed.push(schema);
      return schema.parse(JSON.parse(this.text));
    },
  };
  return { response, parsed };
}

test('responses to different requests do not share their values', () => {
  const responses = createParsedResponses();
  const [first, second] = [respond('same'), respond('same')];

  responses.attach('page 1', first.response).json(Text);
  responses.attach('page 2', second.response).json(Text);

  expect([first.parsed.length, second.parsed.length]).toEqual([1, 1]);
});

test('each schema has its value', () => {
  const responses = createParsedResponses();
  const { response, parsed } = respond('same');
  const Length = Text.transform(({ text }) => text.length);

  const attached = responses.attach('page', response);

  expect([attached.json(Text), attached.json(Length), attached.json(Text), parsed.length]).toEqual([
    { text: 'same' },
    4,
    { text: 'same' },
    2,
  ]);
});

test('the oldest responses are forgotten once all have a million characters', () => {
  const responses = createParsedResponses();
  const read = (page: string) => {
    const { response, parsed } = respond('x'.repeat(400_000));
    responses.attach(page, response).json(Text);
    return parsed.length;
  };

  const times = ['a', 'b', 'a', 'c', 'a', 'b'].map(read);

  expect(times).toEqual([1, 1, 0, 1, 0, 1]);
});
