import { invalidForm, type FormFault } from '../refusal.ts';
import { COMPONENT_TYPES, readComponents } from './component.ts';
import { FLAGS, type Version } from './message.ts';

/** The components at the top of a message. With Components V2, a message consists of its components only. */
const TOP = {
  classic: [COMPONENT_TYPES.row],
  v2: [
    COMPONENT_TYPES.row,
    COMPONENT_TYPES.section,
    COMPONENT_TYPES.text,
    COMPONENT_TYPES.gallery,
    COMPONENT_TYPES.file,
    COMPONENT_TYPES.separator,
    COMPONENT_TYPES.container,
  ],
} as const;
const MAX_ROWS = 5;
const MAX_COMPONENTS = 40;
const MAX_CHARACTERS = 4000;

type Written = Pick<Version, 'content' | 'embeds' | 'components' | 'attachments' | 'flags'>;

/** Refuses components that the flags of the message do not allow. */
export function checkLayout({ content, embeds, components, attachments, flags }: Written): void {
  const isV2 = (flags & FLAGS.IsComponentsV2) !== 0;
  const allowed: readonly number[] = isV2 ? TOP.v2 : TOP.classic;
  const foreign = components.findIndex(({ type }) => typeof type !== 'number' || !allowed.includes(type));
  const all = readComponents(components);
  const faults: readonly (FormFault | false)[] = [
    isV2 && content !== '' && legacy('content'),
    isV2 && embeds.length > 0 && legacy('embeds'),
    foreign >= 0 && {
      path: ['components', String(foreign), 'type'],
      code: 'UNION_TYPE_CHOICES',
      message: `Value of field "type" must be one of (${allowed.join(', ')}).`,
    },
    !isV2 &&
      components.length > MAX_ROWS && {
        path: ['components'],
        code: 'BASE_TYPE_BAD_LENGTH',
        message: `Must be between 1 and ${MAX_ROWS} in length.`,
      },
    all.length > MAX_COMPONENTS && {
      path: ['components'],
      code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      message: `The total number of components exceeds the maximum of ${MAX_COMPONENTS}`,
    },
    all.reduce((sum, one) => sum + (one.content?.length ?? 0), 0) > MAX_CHARACTERS && {
      path: ['components'],
      code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      message: `The total displayable text size exceeds the maximum size of ${MAX_CHARACTERS}`,
    },
    ...all
      .flatMap(({ media }) => media)
      .map(({ url }) => /^attachment:\/\/(.+)$/i.exec(url)?.[1])
      .map(
        (name) =>
          name !== undefined &&
          !attachments.some(({ filename }) => filename === name) && {
            path: ['components'],
            code: 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
            message: `The referenced attachment '${name}' was not found`,
          },
      ),
  ];
  const found = faults.filter((fault) => fault !== false);
  if (found.length > 0) throw invalidForm(found);
}

function legacy(field: string): FormFault {
  return {
    path: [field],
    code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    message: `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
  };
}

/** All texts of the components. They ping like the text of a message. */
export function textOf(components: Written['components']): string {
  return readComponents(components)
    .flatMap(({ content }) => content ?? [])
    .join('\n');
}
