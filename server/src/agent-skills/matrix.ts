/** The matrix: what each client makes of one `SKILL.md` (docs/clients.md). */
import type { Client, ClientDir, Fact, Outcome } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import {
  type Cause,
  type Cell,
  type Chosen,
  type ClientRow,
  cell,
  type Reason,
  reasonOf,
  tell,
  whatOf,
  type YesNo,
} from './cell.ts';
import { conditionsOf, truthOf } from './conditions.ts';
import { nameFor, type Twin, twinOf } from './duplicates.ts';
import { type ClientPlacement, placeIn, reaches } from './placed.ts';
import { findKey, linkCell, type Subject, textOf } from './subject.ts';

/** `others` are the further skills of the workspace, of which one may have the same name. */
export function rowOf(client: Client, subject: Subject, others: readonly Subject[]): ClientRow {
  const { found, loaded, listed, causes } = seenBy(client, subject, others);
  const known = { client, name: nameFor(client, subject), found, loaded, listed };
  if (loaded.outcome === 'no') return { ...known, chosen: cell('nobody'), cut: NO, ignored: NO };
  return {
    ...known,
    chosen: chosenCell(client, subject, listed.outcome),
    cut: cutCell(client, causes),
    ignored: ignoredCell(client, subject, causes),
  };
}

/** Whether the model may see the skill in a list. */
export const isListed = (client: Client, subject: Subject, others: readonly Subject[]): boolean =>
  seenBy(client, subject, others).listed.outcome !== 'no';

const NO: Cell = cell('no');

function seenBy(client: Client, subject: Subject, others: readonly Subject[]) {
  const found = foundCell(client, subject);
  if (found.outcome === 'no') return { found, loaded: NO, listed: NO, causes: [] };
  const causes = conditionsOf(client, subject);
  const twin = twinOf(client, subject, others);
  const loaded = loadedCell(client, causes, twin);
  if (loaded.outcome === 'no') return { found, loaded, listed: NO, causes };
  const seen = listedCell(client, subject, causes, twin);
  const isSure = loaded.outcome !== 'unknown' || seen.outcome !== 'yes';
  return { found, loaded, listed: isSure ? seen : cell<YesNo>('unknown', ...seen.reasons), causes };
}

/** Who can choose the skill: the model by itself, people by its name, or both. */
function chosenCell(client: Client, subject: Subject, listed: YesNo): Cell<Chosen> {
  const { byName, keys } = client;
  const key = keys.find(({ name }) => name === 'user-invocable');
  const isOff = key ? (truthOf(client, subject, key.name) ?? key.default ?? true) === false : false;
  const byPeople = isOff ? 'no' : byName.value;
  const reason =
    key && isOff
      ? reasonOf(
          client,
          { source: key.source, ...(key.certainty && { certainty: key.certainty }) },
          key.effect.replace(/\.$/, ''),
          {
            cause: { kind: 'key', key: key.name },
            meant: true,
          },
        )
      : reasonOf(
          client,
          byName,
          byPeople === 'yes' ? 'People call it by its name' : 'Whether people can call it is not known',
        );
  if (listed === 'unknown') return cell('unknown', reason);
  if (listed === 'yes') return cell(byPeople === 'yes' ? 'model-or-name' : 'model', reason);
  return cell(byPeople === 'yes' ? 'name' : byPeople === 'no' ? 'nobody' : 'unknown', reason);
}

/** Whether the model sees less of the name and the description than is written. What the budget takes is told apart. */
function cutCell(client: Client, causes: readonly Cause[]): Cell {
  const lengths = causes.filter(({ kind }) => kind === 'description_too_long' || kind === 'name_too_long');
  const cuts = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'truncated' ? [reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true })] : [];
  });
  if (cuts.length > 0) return cell('yes', ...cuts);
  const unknown = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'unknown' ? [reasonOf(client, fact, tell(cause, fact.value), { cause })] : [];
  });
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

/** What is written and has no effect: keys that the client does not read, a name in whose place it takes another. */
function ignoredCell(client: Client, subject: Subject, causes: readonly Cause[]): Cell {
  const ignored: Reason[] = [];
  const unknown: Reason[] = [];
  const tools = allowedTools(client, subject);
  if (tools) (client.allowedTools.value === 'unknown' ? unknown : ignored).push(tools);
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (!fact) continue;
    if (fact.value === 'renamed' && cause.kind !== 'missing_name') {
      ignored.push(reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true }));
    }
    if (cause.kind !== 'unknown_key' || fact.value === 'rejected') continue;
    const isWarned = fact.value === 'loaded_with_warning';
    if (fact.value === 'unknown')
      unknown.push(reasonOf(client, fact, `Whether it reads \`${cause.key}\` is not known`, { cause }));
    else
      ignored.push(
        reasonOf(client, fact, `\`${cause.key}\` has no effect${isWarned ? ', and the client says so' : ''}`, {
          cause,
        }),
      );
  }
  if (ignored.length > 0) return cell('yes', ...ignored);
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

function allowedTools(client: Client, subject: Subject): Reason | undefined {
  const { allowedTools: fact } = client;
  if (fact.value === 'grants' || !findKey(subject, 'allowed-tools')) return undefined;
  const text =
    fact.value === 'unknown' ? 'What it makes of `allowed-tools` is not known' : '`allowed-tools` grants nothing here';
  return reasonOf(client, fact, text, { cause: { kind: 'key', key: 'allowed-tools' } });
}

/** Whether the model sees the skill in the list that it chooses from. */
function listedCell(client: Client, subject: Subject, causes: readonly Cause[], twin: Twin | undefined): Cell {
  const hidden = [...hiddenReasons(client, subject), ...outcomesThatHide(client, causes)];
  if (hidden.length > 0) return cell('no', ...hidden);
  const losses = causes.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    if (!fact?.loses) return [];
    return [
      reasonOf(client, fact, `${whatOf(cause)}, so the list has the skill without its description`, {
        cause,
        bad: true,
      }),
    ];
  });
  const shared = twin?.fate === 'stays' ? [twin.reason] : [];
  const { hidden: unknown } = client.listing;
  const hasPaths = findKey(subject, 'paths') && unknown.value.some((by) => 'key' in by && by.key === 'paths');
  const paths = hasPaths
    ? [reasonOf(client, unknown, 'It is listed with matching files only, since it has `paths`', { meant: true })]
    : [];
  return cell('yes', ...losses, ...shared, ...paths);
}

function* hiddenReasons(client: Client, subject: Subject): Iterable<Reason> {
  const { hidden } = client.listing;
  for (const by of hidden.value) {
    if (!('key' in by) || by.is === undefined) continue;
    if (truthOf(client, subject, by.key) !== by.is) continue;
    const text = `\`${by.key}: ${by.is}\` takes it out of the list`;
    yield reasonOf(client, hidden, text, { cause: { kind: 'key', key: by.key }, meant: true });
  }
  const needs = hidden.value.some((by) => 'missing' in by);
  const isTold = client.outcomes.missing_description?.value === 'hidden_from_model';
  if (needs && !isTold && !textOf(subject, 'description')) {
    yield reasonOf(client, hidden, 'Without a `description` it is not in the list', {
      cause: { kind: 'missing_description', key: 'description' },
      bad: true,
    });
  }
}

function* outcomesThatHide(client: Client, causes: readonly Cause[]): Iterable<Reason> {
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (fact?.value === 'hidden_from_model')
      yield reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true });
  }
}

const FATAL: ReadonlySet<Outcome> = new Set(['skipped_with_message', 'skipped_silently', 'rejected']);
/** What another column tells. */
const ELSEWHERE: ReadonlySet<Outcome> = new Set(['ok', 'truncated', 'hidden_from_model', 'both_listed']);

/** Whether the client takes the file in, by all that is the matter with it. */
function loadedCell(client: Client, causes: readonly Cause[], twin: Twin | undefined): Cell {
  const fatal: Reason[] = [];
  const remarks: Reason[] = [];
  let isUnknown = false;
  for (const cause of causes) {
    const fact = cause.kind === 'unknown_key' ? rejection(client) : outcomeOf(client, cause);
    const outcome = fact?.value ?? 'unknown';
    if (cause.kind === 'unknown_key' && outcome !== 'rejected') continue;
    if (FATAL.has(outcome) && fact) fatal.push(reasonOf(client, fact, tell(cause, outcome), { cause, bad: true }));
    else if (!fact || outcome === 'unknown') {
      isUnknown = true;
      if (fact) remarks.push(reasonOf(client, fact, tell(cause, 'unknown'), { cause }));
    } else if (!ELSEWHERE.has(outcome)) remarks.push(reasonOf(client, fact, tell(cause, outcome), { cause }));
  }
  if (fatal.length > 0) return cell('no', ...fatal);
  if (twin?.fate === 'hidden') return cell('no', twin.reason, ...remarks);
  if (twin?.fate === 'unknown') return cell('unknown', twin.reason, ...remarks);
  return cell(isUnknown ? 'unknown' : 'yes', ...remarks);
}

const outcomeOf = ({ outcomes }: Client, { kind }: Cause) =>
  kind === 'place' || kind === 'file-name' || kind === 'key' ? undefined : outcomes[kind];

const rejection = ({ outcomes }: Client) => outcomes.unknown_key;

/** Whether the client looks where the file lies. A file that lies in no client's folder is yet to be installed. */
function foundCell(client: Client, subject: Subject): Cell {
  const { dirs } = client;
  const placed = placeIn(client, subject);
  if (!placed) return notThere(client, isPlacedAnywhere(subject));
  const { dir } = placed;
  const where = `\`${dir.path}\``;
  if (!reaches(placed)) return cell('no', tooDeep(client, placed, where));
  const named = fileNameCell(client, subject);
  if (named.outcome !== 'yes') return named;
  const linked = linkCell(client, subject.link);
  if (linked && linked.outcome !== 'yes') return linked;
  if (dir.depth === 'unknown' && placed.depth !== 1) {
    return cell('unknown', reasonOf(client, dirs, `How deep it looks into ${where} is not known`));
  }
  const text = dir.conditional ? `It reads ${where} only sometimes: ${dir.base}` : `It reads ${where}${opened(dir)}`;
  return cell(
    dir.conditional ? 'unknown' : 'yes',
    reasonOf(client, bare(dirs), text),
    ...named.reasons,
    ...(linked?.reasons ?? []),
  );
}

const opened = ({ at }: ClientDir): string =>
  at === 'root' ? ', where it is opened in that folder' : at === 'upward' ? ', where it is started there or below' : '';

/** The folders of a workspace that the client reads always. */
export const foldersOf = ({ dirs }: Client): readonly string[] => [
  ...new Set(
    dirs.value.flatMap(({ at, path, conditional }) =>
      at === 'home' || at === 'elsewhere' || conditional ? [] : [path],
    ),
  ),
];

/** The notes on folders tell of other places. */
const bare = ({ source, certainty }: Fact<unknown>) => ({ source, ...(certainty && { certainty }) });

function notThere(client: Client, isOthers: boolean): Cell {
  const list = foldersOf(client)
    .map((folder) => `\`${folder}\``)
    .join(', ');
  const reads = list === '' ? 'It reads no folder of a workspace' : `Of a workspace it reads ${list}`;
  const text = isOthers ? reads : `This folder is of no client; where it is installed decides. ${reads}`;
  const isKnown = isOthers && list !== '';
  return cell(
    isKnown ? 'no' : 'unknown',
    reasonOf(client, bare(client.dirs), text, isKnown ? { cause: { kind: 'place' }, bad: true } : {}),
  );
}

function tooDeep(client: Client, { dir, depth }: ClientPlacement, where: string): Reason {
  const fact = client.facts['find.depth'] ?? client.dirs;
  const levels = depth === 0 ? 'directly in' : `${depth} folders below`;
  const wanted = dir.depth === 1 ? 'one folder below it counts' : `${dir.depth} folders below it count`;
  const text = `The file lies ${levels} ${where}, and only ${wanted}`;
  return reasonOf(client, bare(fact), text, {
    cause: { kind: 'place', key: 'depth' },
    bad: true,
  });
}

/** Whether the client takes a file of this name. */
function fileNameCell(client: Client, { fileName: name }: Subject): Cell {
  const { fileName } = client;
  if (name === 'SKILL.md') return cell('yes');
  const isSameWord = name.toLowerCase() === 'skill.md';
  const taken: Readonly<Record<typeof fileName.value, YesNo>> = {
    exact: 'no',
    'any-case': isSameWord ? 'yes' : 'no',
    ending: name.endsWith('SKILL.md') ? 'yes' : 'no',
    unknown: 'unknown',
  };
  const outcome = taken[fileName.value];
  if (outcome === 'yes') return cell('yes', reasonOf(client, fileName, `It reads \`${name}\` too`));
  const text = outcome === 'no' ? 'It reads `SKILL.md` only' : 'Whether it reads a file of this name is not known';
  return cell(
    outcome,
    reasonOf(client, fileName, text, { cause: { kind: 'file-name' }, ...(outcome === 'no' && { bad: true }) }),
  );
}

/** Whether the file lies in a folder of any client, and so is meant to be found where it is. */
const isPlacedAnywhere = (subject: Subject): boolean =>
  clients.some((client) => {
    const placed = placeIn(client, subject);
    return placed !== undefined && !placed.dir.conditional;
  });
