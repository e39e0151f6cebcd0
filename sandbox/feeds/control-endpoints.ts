import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { hubEndpoints } from '../websub/control-endpoints.ts';

const host = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*\.example$/, 'expected a host name that ends with .example, such as blog.example')
  .describe('The host name of the feed, which ends with `.example`.');

export const feedHub = hubEndpoints('feeds', 'https://blog.example/feed.xml');

export const publishArticle = endpoint({
  method: 'POST',
  path: '/feeds',
  summary: 'Publishes an article in a feed, or edits it.',
  details:
    'Fanfare reads `https://blog.example/feed.xml` and every other address below `.example` from the sandbox. The path chooses the format: `.json` for JSON Feed, `.atom` for ' +
    'Atom, else RSS. The articles of `podcast.example` have recordings. Each feed also has an article every ten minutes.',
  answer: '`id` is the id of the article. The same id in a later request edits the article.',
  body: z.strictObject({
    feed: host,
    id: z.string().min(1).optional().describe('The id of the article; absent: a new article.'),
    title: z.string().min(1).describe('The title.'),
    text: z.string().optional().describe('The content as HTML.'),
  }),
  examples: [
    {
      title: 'Publish an article',
      body: { feed: 'blog.example', title: 'Patch notes 1.4', text: '<p>New maps.</p>' },
      save: { article: 'id' },
    },
    { title: 'Edit the article', body: { feed: 'blog.example', id: '$article', title: 'Patch notes 1.4.1' } },
  ],
  mistakes: [{ body: { feed: 'blog.example' } }, { body: { feed: 'https://blog.example', title: 'Patch notes' } }],
});
