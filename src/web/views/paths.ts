/** The paths of the views. The server knows them without loading the views. */
export const VIEW_PATHS = {
  overview: '/overview',
  why: '/why',
  deliveries: '/deliveries',
  delivery: '/deliveries/:delivery',
  posts: '/posts',
  rules: '/rules',
  rule: '/rules/:rule',
  lists: '/lists',
  list: '/lists/:list',
  accounts: '/accounts',
  settings: '/settings',
  audit: '/audit',
  /** Only on the sandbox. */
  sandbox: '/sandbox',
  /** Only on the sandbox. */
  sandboxDiscord: '/sandbox/discord',
} as const;
