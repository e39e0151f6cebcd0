import { Hono } from 'hono';
import { layout, postCard, userCard } from './html.ts';
import type { StoredPost } from './posts.ts';
import type { Moment } from './moment.ts';
import { toPost } from './records.ts';
import { toUser } from './user-record.ts';

const SHOWN = 40;

/** The platform as a person sees it: the latest posts, one post with its replies, one account. */
export function socialPages(currentMoment: () => Moment): Hono {
  const pages = new Hono();

  pages.get('/', (c) => {
    const moment = currentMoment();
    return c.html(layout('Latest posts', moment.url, cards(moment.feed.timeline().slice(0, SHOWN), moment)));
  });

  pages.get('/posts/:id', (c) => {
    const moment = currentMoment();
    const post = moment.feed.find(c.req.param('id'));
    if (!post) return c.html(layout('Gone', moment.url, 'There is no such post.'), 404);
    const title = post.text || 'A post';
    return c.html(layout(title, moment.url, cards([post, ...moment.feed.answersTo(post.repostOf ?? post.id)], moment)));
  });

  pages.get('/:handle{@.+}', (c) => {
    const moment = currentMoment();
    const person = moment.people.find(c.req.param('handle'));
    if (!person) return c.html(layout('Nobody', moment.url, 'There is nobody of this name.'), 404);
    const posts = moment.feed.timeline().filter(({ authorId }) => authorId === person.id);
    const body = [userCard(toUser(person, moment)), ...cards(posts.slice(0, SHOWN), moment)];
    return c.html(layout(person.displayName, moment.url, body));
  });

  return pages;
}

function cards(posts: readonly StoredPost[], moment: Moment): readonly ReturnType<typeof postCard>[] {
  return posts.map((post) => postCard(toPost(post, moment)));
}
