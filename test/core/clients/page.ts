/** Generates the tables of `docs/clients.md` from the data. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from '../../../lab/clients/index.ts';
import type { Observation } from '../../../lab/observation.ts';
import type { Client, Fact, ListingBudget, ListOrder } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient, frameworks } from '../../../server/src/clients/facts/clients.ts';
import { entriesOf, listingOf } from '../../../server/src/clients/matrix/budget.ts';
import { isFormKnown } from '../../../server/src/clients/matrix/list-line.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import { knownOf } from '../../../server/src/clients/pipeline/pipeline.ts';
import { isChoice } from '../../../server/src/clients/pipeline/setting.ts';
import { formatNumber } from '../../../server/src/format-amounts.ts';
import type { Condition } from './fixtures.ts';
import { type Links, linksOf, type Outcome, outcomeOf } from './outcomes.ts';

const SHORT: Readonly<Record<Outcome, string>> = {
  ok: 'fine',
  loaded: 'loads it partly',
  loaded_with_warning: 'warns',
  repaired: 'fixes it',
  truncated: 'cuts it',
  renamed: 'renames it',
  hidden_from_model: '**hides it**',
  skipped_with_message: '**skips it**',
  skipped_silently: '**skips it without a message**',
  rejected: '**refuses it**',
  first_wins: 'uses the first',
  last_wins: 'uses the last',
  both_listed: 'lists both',
  unknown: '',
};

const COLUMNS: readonly (readonly [Condition | 'unknown_key', string])[] = [
  ['missing_frontmatter', 'no frontmatter'],
  ['unclosed_frontmatter', 'not closed, or by `...`'],
  ['bad_yaml', 'bad YAML'],
  ['unquoted_colon', 'an unquoted colon'],
  ['duplicate_key', 'a key twice'],
  ['bom', 'byte order mark'],
  ['crlf', 'CR LF'],
  ['missing_name', 'no `name`'],
  ['missing_description', 'no `description`'],
  ['name_bad_chars', 'an invalid `name`'],
  ['name_consecutive_hyphens', '`--` in `name`'],
  ['name_not_folder', '`name` is not the folder'],
  ['name_too_long', 'a long `name`'],
  ['description_too_long', 'a long `description`'],
  ['unknown_key', 'an unknown key'],
  ['duplicate_name', 'duplicate names'],
];

/** Returns the reaction of a client to an unknown key as an outcome. */
function unknownKeysOf({ unknownKeys }: Client): { readonly value: Outcome } & Pick<Fact<unknown>, 'certainty'> {
  const outcomes = { ignored: 'ok', warned: 'loaded_with_warning', refused: 'rejected', unknown: 'unknown' } as const;
  const { value, certainty } = unknownKeys;
  return { value: outcomes[value], ...(certainty && { certainty }) };
}

/** Formats a fact. A fact that is not verified ends with a question mark. */
const marked = (text: string, { certainty }: Partial<Pick<Fact<unknown>, 'certainty'>>): string =>
  text !== '' && certainty === 'unverified' ? `${text}?` : text;

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n');

function foldersOf({ dirs }: Client): string {
  const own = dirs.value.filter(({ at, conditional }) => at !== 'home' && at !== 'elsewhere' && !conditional);
  const paths = [...new Set(own.map(({ path }) => `\`${path}\``))];
  return marked(paths.join(', ') || 'none', dirs);
}

function depthOf(client: Client): string {
  const steps = stepsOf(client);
  const { depth, folders } = steps.find;
  const own = folders.find((folder) => folder.depth !== undefined)?.depth ?? depth;
  const text = isChoice(own) ? '' : own === null ? 'any' : String(own);
  return marked(text, knownOf(steps, 'find.depth') ?? {});
}

/** Formats a budget that is a share of the context, with its size for the default model. */
function shareOf(client: Client): string {
  const limit = listingOf(client, entriesOf([]), undefined)?.limit;
  const { percentOfContext } = client.listing.budget.value as ListingBudget;
  return `${percentOfContext} % of the context, ${formatNumber(limit?.total ?? 0)} ${limit?.unit} of ${formatNumber(limit?.model?.context ?? 0)} tokens`;
}

/** Formats the number of a client's own skills, and the size that they keep. */
function builtInOf(client: Client): string {
  const { builtIn } = client.listing;
  const count = builtIn?.value.skills.length ?? 0;
  if (!builtIn || count === 0) return '';
  const limit = listingOf(client, entriesOf([]), undefined)?.limit;
  const kept = limit && limit.builtIn > 0 ? `, ${formatNumber(limit.builtIn)} ${limit.unit}` : '';
  return marked(`${count}${kept}`, builtIn);
}

function budgetOf(client: Client): string {
  const { budget } = client.listing;
  const { value } = budget;
  if (value === 'unknown') return marked('of unknown size', budget);
  if (value === null) return '';
  const amounts = [
    value.percentOfContext === undefined ? [] : [shareOf(client)],
    value.characters === undefined ? [] : [`${value.characters.toLocaleString('en')} characters`],
    value.bytes === undefined ? [] : [`${value.bytes.toLocaleString('en')} bytes`],
    value.skills === undefined ? [] : [`${value.skills} skills`],
    value.onlyWith === undefined ? [] : [`only with \`${value.onlyWith}\``],
  ];
  return marked(amounts.flat().join(', '), budget);
}

const LINKS: Readonly<Record<Links, (kind: string) => readonly string[]>> = {
  followed: (kind) => [kind],
  'passed-over': (kind) => [`**no ${kind}**`],
  'followed-inside': (kind) => [`${kind} that stay inside`],
  unknown: () => [],
};

function followedBy(client: Client): string {
  const steps = stepsOf(client);
  const { folderLinks, fileLinks } = steps.find;
  const parts = [...LINKS[linksOf(folderLinks)]('folders'), ...LINKS[linksOf(fileLinks)]('files')];
  return marked(parts.join(', '), knownOf(steps, 'find.folderLinks') ?? {});
}

const limitOf = (client: Client): string => {
  const { value } = client.limits.description ?? {};
  if (value?.listing !== undefined) return `${value.listing.toLocaleString('en')} characters shown`;
  if (value?.max === undefined || outcomeOf(client, 'description_too_long').value === 'ok') return '';
  return `${value.max.toLocaleString('en')} ${value.unit ?? 'characters'}`;
};

const ORDERS: Readonly<Record<ListOrder, string>> = {
  name: 'by name',
  'scope-name': 'by scope, then by name',
  'folder-path': 'by the path of the folder',
  'file-path': 'by the path of the file',
  found: 'as the client finds them',
};

/** Formats a line as code, with `↵` for line breaks. */
const asCode = (line: string): string => `\`${line.replace(/\n */g, '↵')}\``;

function changesOf({ format }: Client['listing']): string {
  const { folds, trims, removesTags, escapes } = format;
  const changes = [
    ...(folds
      ? [`${folds === 'breaks' ? 'a line break' : 'white space'} becomes one space`]
      : trims
        ? ['white space around it is removed']
        : []),
    ...(removesTags ? ['`<…>` is removed'] : []),
    ...(escapes?.placeholders.includes('description')
      ? [
          `${Object.keys(escapes.characters)
            .map((one) => `\`${one}\``.replace('```', '`` ` ``'))
            .join(' ')} become entities`,
        ]
      : []),
  ];
  return changes.join(', ');
}

const formRow = (client: Client): string => {
  const { listing } = client;
  return row(
    anchored(client, 'list'),
    listing.format.line === undefined ? '' : asCode(listing.format.line.trim()),
    listing.format.line === undefined ? '' : isFormKnown(client) ? 'yes' : 'no',
    changesOf(listing),
    listing.order ? marked(ORDERS[listing.order.value], listing.order) : '',
  );
};

/** Formats the models that a client knows, with one row for each size. */
function modelRows({ name, listing }: Client): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const model of listing.models?.value ?? []) {
    const {
      charactersPerToken = typeof listing.budget.value === 'object' ? listing.budget.value?.charactersPerToken : 1,
    } = model;
    const size = row(name, formatNumber(model.context), String(charactersPerToken));
    groups.set(size, [...(groups.get(size) ?? []), `\`${model.name}\``]);
  }
  return [...groups].map(([size, names]) => `${size} ${names.join(', ')} |`);
}

/** Formats the name of a client with the anchor of its row. An anchor does not change, so that others can link to a row. */
const anchored = ({ id, name }: Client, table?: string): string =>
  `<a id="${table === undefined ? id : `${id}-${table}`}"></a>${name}`;

const OBSERVATIONS = join('lab', 'observations');

/** The observations of the lab, in the order of its clients. */
function observations(): readonly Observation[] {
  const files = new Set(readdirSync(OBSERVATIONS));
  return CLIENTS.flatMap(({ id }) =>
    files.has(`${id}.json`) ? [JSON.parse(readFileSync(join(OBSERVATIONS, `${id}.json`), 'utf8')) as Observation] : [],
  );
}

/** Formats the observation of a client; its terminal is a question that not every client can be asked. */
function observedRow({ client, version, observed, situations, atTerminal, package: of }: Observation): string {
  const { name, facts = client } = CLIENTS.find(({ id }) => id === client) ?? { name: client };
  const known = findClient(facts);
  return row(
    name,
    known ? `[\`${known.id}\`][${known.id}]` : '',
    `\`${of}\``,
    version,
    observed,
    String(Object.keys(situations).length),
    atTerminal === undefined || atTerminal === 'not asked' ? '' : 'yes',
    `[${client}.json](../lab/observations/${client}.json)`,
  );
}

/** Formats what a client does with a file for each usual fault. */
const fileRow = (client: Client): string =>
  row(
    anchored(client, 'file'),
    ...COLUMNS.map(([condition]) => {
      const fact = condition === 'unknown_key' ? unknownKeysOf(client) : outcomeOf(client, condition);
      return marked(SHORT[fact.value], fact);
    }),
  );

/** The end of the identifier of the fact in each column, in `docs/clients.json`. */
const IDENTIFIERS: readonly (readonly [string, string])[] = [
  ['folders of a workspace', '`dirs`'],
  ['depth', '`steps.find`'],
  ['follows links to', '`links`'],
  ['limit of `description`', '`limits.description`'],
  ['budget of the list', '`listing.budget`'],
  ['built-in skills', '`listing.builtIn`'],
  ['tokens of context, characters for each', '`listing.models`'],
  ['the entry of a skill, exact, changes to the description', '`listing.format`'],
  ['order', '`listing.order`'],
  ...COLUMNS.map(
    ([condition, title]) =>
      [title, condition === 'unknown_key' ? '`unknownKeys`' : `\`outcomes.${condition}\``] as const,
  ),
];

export function pageTables(): string {
  const checked = clients
    .flatMap(({ sources }) => Object.values(sources).map((source) => source?.checked ?? ''))
    .sort();
  const links = [...clients, ...frameworks].map(({ id }) => `[${id}]: ../server/src/clients/facts/data/${id}.json`);
  return [
    `Each source was read between ${checked[0]} and ${checked.at(-1)}. The data contains the date of each one.`,
    '',
    '### Observed clients',
    '',
    'The [lab](../lab/README.md) ran these programs and recorded what each one sent to a model. An empty `id` means that the product has no facts about the program. The facts about all other clients were read.',
    '',
    table(
      ['program', 'id', 'package', 'version', 'observed', 'situations', 'at a terminal', 'observation'],
      observations().map(observedRow),
    ),
    '',
    '### Folders and limits',
    '',
    table(
      [
        'client',
        'id',
        'folders of a workspace',
        'depth',
        'follows links to',
        'limit of `description`',
        'budget of the list',
        'built-in skills',
        'as of',
        'rests on',
      ],
      clients.map((client) =>
        row(
          anchored(client),
          `[\`${client.id}\`][${client.id}]`,
          foldersOf(client),
          depthOf(client),
          followedBy(client),
          limitOf(client),
          budgetOf(client),
          builtInOf(client),
          client.asOf,
          client.basis,
        ),
      ),
    ),
    '',
    '### Models',
    '',
    'The size of a list is a share of the context of these models. A client counts the tokens of a context itself, with a fixed number of characters for each.',
    '',
    table(['client', 'tokens of context', 'characters for each', 'models'], clients.flatMap(modelRows)),
    '',
    '### Form of the list',
    '',
    table(
      ['client', 'the entry of a skill (`↵` is a line break)', 'exact', 'changes to the description', 'order'],
      clients.map(formRow),
    ),
    '',
    '### Treatment of a file',
    '',
    table(['client', ...COLUMNS.map(([, title]) => title)], clients.map(fileRow)),
    '',
    '### Frameworks',
    '',
    'The JavaScript edition of each one was run. Its program names the folder ([Frameworks](#frameworks)).',
    '',
    table(
      [
        'framework',
        'id',
        'package',
        'names the folder in',
        'depth',
        'follows links to',
        'limit of `description`',
        'the list',
        'as of',
      ],
      frameworks.map((client) =>
        row(
          anchored(client),
          `[\`${client.id}\`][${client.id}]`,
          `\`${client.framework?.package}\``,
          client.framework?.names ?? '',
          depthOf(client),
          followedBy(client),
          limitOf(client),
          client.listing.format.value,
          client.asOf,
        ),
      ),
    ),
    '',
    table(['framework', ...COLUMNS.map(([, title]) => title)], frameworks.map(fileRow)),
    '',
    '### Identifiers of the columns',
    '',
    table(
      ['column', 'identifier, after the client and `/`'],
      IDENTIFIERS.map((cells) => row(...cells)),
    ),
    '',
    ...links,
  ].join('\n');
}
