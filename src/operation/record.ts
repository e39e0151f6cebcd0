import { z } from 'zod';

/** Where every record stands: its platform, the platform's id for it, and its address there. */
export const ref = {
  platform: z.string().describe('The platform, as `twitch`.'),
  id: z.string().describe("The platform's own id."),
  url: z.string().optional().describe('Where a person can open it.'),
};

const person = z.object({
  ...ref,
  handle: z.string().describe('The name in addresses and mentions, without @.'),
  displayName: z.string().describe('The name as it is shown.'),
});

/** Somebody inside another record. */
export interface Person extends z.output<typeof person> {}
export const Person: z.ZodType<Person> = person;
