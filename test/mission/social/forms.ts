import type { Choice } from '#src/social/arguments.ts';
import type { UserList } from '#src/social/records/discovery.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import type { SocialGround } from './ground.ts';
import { personIn } from './world/people.ts';

type FormsOf<T extends { readonly id: string }> = Readonly<
  Record<string, (ground: SocialGround, id: string) => Choice<T> | Promise<Choice<T>>>
>;

/** A user in each form that a call can name them. */
export function userForms(parameter: 'username' | 'user_id'): FormsOf<User> {
  return {
    [`${parameter}: str, a handle`]: (ground, id) => personIn(ground, id).handle,
    [`${parameter}: str, a handle with @ in other letters`]: (ground, id) => `@${personIn(ground, id).handle.toUpperCase()}`,
    [`${parameter}: str, an id`]: (_, id) => id,
    [`${parameter}: int`]: (_, id) => Number(id),
    [`${parameter}: User`]: ({ client }, id) => client.getUserInfo(id),
  };
}

/** A post whose id is a number in each form that a call can name it. */
export function postForms(parameter: 'post_id' | 'identifier', { withInt = true } = {}): FormsOf<Post> {
  return {
    [`${parameter}: str, an id`]: (_, id) => id,
    [`${parameter}: str, an address`]: ({ home }, id) => `${home}/posts/${id}`,
    ...(withInt && { [`${parameter}: int`]: (_: SocialGround, id: string) => Number(id) }),
    [`${parameter}: Post`]: ({ client }, id) => client.postDetail(id),
  };
}

export const listForms: FormsOf<UserList> = {
  'list_id: str': (_, id) => id,
  'list_id: int': (_, id) => Number(id),
  'list_id: UserList': ({ client }, id) => client.getList(id),
};

/** The same forms where it is known what they name. */
export function naming<T extends { readonly id: string }>(
  forms: FormsOf<T>,
  idOf: (ground: SocialGround) => string,
): Readonly<Record<string, (ground: SocialGround) => Choice<T> | Promise<Choice<T>>>> {
  return Object.fromEntries(
    Object.entries(forms).map(([form, valueFor]) => [form, (ground: SocialGround) => valueFor(ground, idOf(ground))]),
  );
}
