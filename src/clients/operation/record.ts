import { z } from 'zod';
import { lowerCaseText } from './parameters.ts';

/** The fields of every record: the platform, the platform's id and the address. */
export const ref = {
  platform: lowerCaseText().describe('The platform, for example `twitch`.'),
  id: z.string().describe("The platform's id."),
  url: z.string().optional().describe('The web address.'),
};

/** The fields of every person in a record. */
export const personFields = {
  ...ref,
  handle: z.string().describe('The name in addresses and mentions, without @.'),
  displayName: z.string().describe('The displayed name.'),
};

const person = z.object(personFields);

/** A user inside another record. */
export interface Person extends z.output<typeof person> {}
export const Person: z.ZodType<Person> = person;

const author = person.extend({
  bot: z.boolean().optional().describe('Whether the platform marks the account as automated. X does not.'),
  self: z.boolean().optional().describe('Whether it is the account that reads the record.'),
});

/** The author of a record. */
export interface Author extends z.output<typeof author> {}
export const Author: z.ZodType<Author> = author;
