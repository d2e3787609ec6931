/** Computes the matrix, which shows how each client treats one `SKILL.md` (docs/clients.md). */
import type { Client, ClientDir, Fact, Outcome } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import {
  type Cause,
  type Cell,
  type Chosen,
  type ClientRow,
  cell,
  describeCause,
  describeOutcome,
  type Reason,
  reasonOf,
  type YesNo,
} from './cell.ts';
import { type ClientPlacement, isInDepth, placeIn } from './client-folders.ts';
import { booleanValue, conditionsOf } from './conditions.ts';
import { type DuplicateSkill, findDuplicate, nameInClient } from './duplicates.ts';
import { readKey, readText } from './read-keys.ts';
import { linkCell, type Subject } from './subject.ts';

/** Returns whether a folder, given by its URI, contains a `SKILL.md`. */
type IsFolderOfSkill = (folder: string) => boolean;

/** Returns the row of a client. `others` contains the other skills in the workspace that can have the same name. */
export function rowOf(
  client: Client,
  subject: Subject,
  others: readonly Subject[],
  isFolderOfSkill: IsFolderOfSkill,
): ClientRow {
  const { found, loaded, listed, causes } = visibilityOf(client, subject, others, isFolderOfSkill);
  const known = { client, name: nameInClient(client, subject), found, loaded, listed };
  if (loaded.outcome === 'no') return { ...known, chosen: cell('nobody'), cut: NO, ignored: NO };
  return {
    ...known,
    chosen: chosenCell(client, subject, listed.outcome),
    cut: cutCell(client, causes),
    ignored: ignoredCell(client, subject, causes),
  };
}

/** Returns true if the model may see the skill in a list. */
export const isListed = (
  client: Client,
  subject: Subject,
  others: readonly Subject[],
  isFolderOfSkill: IsFolderOfSkill,
): boolean => visibilityOf(client, subject, others, isFolderOfSkill).listed.outcome !== 'no';

const NO: Cell = cell('no');

function visibilityOf(client: Client, subject: Subject, others: readonly Subject[], isFolderOfSkill: IsFolderOfSkill) {
  const found = foundCell(client, subject, isFolderOfSkill);
  if (found.outcome === 'no') return { found, loaded: NO, listed: NO, causes: [] };
  const causes = conditionsOf(client, subject);
  const duplicate = findDuplicate(client, subject, others);
  const loaded = loadedCell(client, causes, duplicate);
  if (loaded.outcome === 'no') return { found, loaded, listed: NO, causes };
  const seen = listedCell(client, subject, causes, duplicate);
  const isSure = loaded.outcome !== 'unknown' || seen.outcome !== 'yes';
  return { found, loaded, listed: isSure ? seen : cell<YesNo>('unknown', ...seen.reasons), causes };
}

/** Returns whether the model can choose the skill, people can call it by its name, or both. */
function chosenCell(client: Client, subject: Subject, listed: YesNo): Cell<Chosen> {
  const { byName, keys } = client;
  const byPaths = listed === 'no' && pathsReason(client, subject, 'The model can choose the skill after that');
  if (byPaths) return cell('model', byPaths);
  const key = keys.find(({ name }) => name === 'user-invocable');
  const isOff = key ? (booleanValue(client, subject, key.name) ?? key.default ?? true) === false : false;
  const taken = isOff ? undefined : uncallable(client, subject);
  const byPeople = isOff || taken ? 'no' : byName.value;
  const reason =
    key && isOff
      ? reasonOf(
          client,
          { source: key.source, ...(key.certainty && { certainty: key.certainty }) },
          key.effect.replace(/\.$/, ''),
          {
            cause: { kind: 'key', key: key.name },
            isIntended: true,
          },
        )
      : (taken ??
        reasonOf(
          client,
          byName,
          byPeople === 'yes'
            ? 'People can call the skill by its name'
            : 'It is not known whether people can call the skill',
        ));
  if (listed === 'unknown') return cell('unknown', reason);
  if (listed === 'yes') return cell(byPeople === 'yes' ? 'model-or-name' : 'model', reason);
  return cell(byPeople === 'yes' ? 'name' : byPeople === 'no' ? 'nobody' : 'unknown', reason);
}

/** Returns the reason for which people cannot call a skill with this name. */
function uncallable(client: Client, subject: Subject): Reason | undefined {
  const name = nameInClient(client, subject);
  const fact = client.uncallable;
  return fact?.value.includes(name)
    ? reasonOf(client, fact, `People cannot call a skill named \`${name}\``, {
        cause: { kind: 'name_reserved', key: 'name' },
        isLoss: true,
      })
    : undefined;
}

/** Returns whether the client cuts the name or the description for the model. The list budget is handled separately. */
function cutCell(client: Client, causes: readonly Cause[]): Cell {
  const lengths = causes.filter(({ kind }) => kind === 'description_too_long' || kind === 'name_too_long');
  const cuts = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'truncated'
      ? [reasonOf(client, fact, describeOutcome(cause, fact.value), { cause, isLoss: true })]
      : [];
  });
  if (cuts.length > 0) return cell('yes', ...cuts);
  const unknown = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'unknown' ? [reasonOf(client, fact, describeOutcome(cause, fact.value), { cause })] : [];
  });
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

/** Returns the parts that have no effect: keys that the client does not read, and a name that the client replaces. */
function ignoredCell(client: Client, subject: Subject, causes: readonly Cause[]): Cell {
  const ignored: Reason[] = [];
  const unknown: Reason[] = [];
  const tools = allowedTools(client, subject);
  if (tools) (client.allowedTools.value === 'unknown' ? unknown : ignored).push(tools);
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (!fact) continue;
    if (fact.value === 'renamed' && cause.kind !== 'missing_name') {
      ignored.push(reasonOf(client, fact, describeOutcome(cause, fact.value), { cause, isLoss: true }));
    }
    if (cause.kind !== 'unknown_key' || fact.value === 'rejected') continue;
    const isWarned = fact.value === 'loaded_with_warning';
    if (fact.value === 'unknown')
      unknown.push(reasonOf(client, fact, `It is not known whether the client reads \`${cause.key}\``, { cause }));
    else
      ignored.push(
        reasonOf(client, fact, `\`${cause.key}\` has no effect${isWarned ? ', and the client shows a warning' : ''}`, {
          cause,
        }),
      );
  }
  if (ignored.length > 0) return cell('yes', ...ignored);
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

function allowedTools(client: Client, subject: Subject): Reason | undefined {
  const { allowedTools: fact } = client;
  if (fact.value === 'grants' || !readKey(client, subject, 'allowed-tools')) return undefined;
  const text =
    fact.value === 'unknown'
      ? 'The effect of `allowed-tools` is not known'
      : '`allowed-tools` does not grant permissions';
  return reasonOf(client, fact, text, { cause: { kind: 'key', key: 'allowed-tools' } });
}

/** Returns whether the model sees the skill in the list that it chooses from. */
function listedCell(
  client: Client,
  subject: Subject,
  causes: readonly Cause[],
  duplicate: DuplicateSkill | undefined,
): Cell {
  const hidden = [...hiddenReasons(client, subject), ...outcomesThatHide(client, causes)];
  if (hidden.length > 0) return cell('no', ...hidden);
  const byPaths = pathsReason(client, subject, 'The skill is in the list only after the client reads a matching file');
  if (byPaths) return cell('no', byPaths);
  const losses = causes.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    if (fact?.loses !== 'description' && fact?.loses !== 'frontmatter') return [];
    return [
      reasonOf(client, fact, `${describeCause(cause)}, so the list contains the skill without its description`, {
        cause,
        isLoss: true,
      }),
    ];
  });
  const shared = duplicate?.outcome === 'stays' ? [duplicate.reason] : [];
  return cell('yes', ...losses, ...shared);
}

/** Returns a reason if the client shows the skill only for files that match its `paths`. `text` has no period. */
function pathsReason(client: Client, subject: Subject, text: string): Reason | undefined {
  const { hidden } = client.listing;
  const isShownByPaths = hidden.value.some((by) => 'key' in by && by.key === 'paths' && by.is === undefined);
  if (!isShownByPaths || !readKey(client, subject, 'paths')) return undefined;
  return reasonOf(client, hidden, `${text}, because it has \`paths\``, { isIntended: true, isOpen: true });
}

function* hiddenReasons(client: Client, subject: Subject): Iterable<Reason> {
  const { hidden } = client.listing;
  for (const by of hidden.value) {
    if (!('key' in by) || by.is === undefined) continue;
    if (booleanValue(client, subject, by.key) !== by.is) continue;
    const text = `\`${by.key}: ${by.is}\` removes the skill from the list`;
    yield reasonOf(client, hidden, text, { cause: { kind: 'key', key: by.key }, isIntended: true });
  }
  const needs = hidden.value.some((by) => 'missing' in by);
  const isReported = client.outcomes.missing_description?.value === 'hidden_from_model';
  if (needs && !isReported && !readText(client, subject, 'description')) {
    yield reasonOf(client, hidden, 'The skill is not in the list, because the `description` is missing', {
      cause: { kind: 'missing_description', key: 'description' },
      isLoss: true,
    });
  }
}

function* outcomesThatHide(client: Client, causes: readonly Cause[]): Iterable<Reason> {
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (fact?.value === 'hidden_from_model')
      yield reasonOf(client, fact, describeOutcome(cause, fact.value), { cause, isLoss: true });
  }
}

const FATAL: ReadonlySet<Outcome> = new Set(['skipped_with_message', 'skipped_silently', 'rejected']);
/** The outcomes that another column shows. */
const IN_OTHER_COLUMNS: ReadonlySet<Outcome> = new Set(['ok', 'truncated', 'hidden_from_model', 'both_listed']);

/** Returns whether the client loads the file, given the causes that were found in it. */
function loadedCell(client: Client, causes: readonly Cause[], duplicate: DuplicateSkill | undefined): Cell {
  const fatal: Reason[] = [];
  const remarks: Reason[] = [];
  let isUnknown = false;
  for (const cause of causes) {
    const fact = cause.kind === 'unknown_key' ? rejection(client) : outcomeOf(client, cause);
    const outcome = fact?.value ?? 'unknown';
    if (cause.kind === 'unknown_key' && outcome !== 'rejected') continue;
    if (FATAL.has(outcome) && fact) {
      const isSilent = outcome === 'skipped_silently';
      fatal.push(reasonOf(client, fact, describeOutcome(cause, outcome), { cause, isLoss: true, isSilent }));
    } else if (!fact || outcome === 'unknown') {
      isUnknown = true;
      if (fact) remarks.push(reasonOf(client, fact, describeOutcome(cause, 'unknown'), { cause }));
    } else if (!IN_OTHER_COLUMNS.has(outcome))
      remarks.push(reasonOf(client, fact, describeOutcome(cause, outcome), { cause }));
  }
  if (fatal.length > 0) return cell('no', ...fatal);
  if (duplicate?.outcome === 'hidden') return cell('no', duplicate.reason, ...remarks);
  if (duplicate?.outcome === 'unknown') return cell('unknown', duplicate.reason, ...remarks);
  return cell(isUnknown ? 'unknown' : 'yes', ...remarks);
}

const outcomeOf = ({ outcomes }: Client, { kind }: Cause) =>
  kind === 'place' || kind === 'file-name' || kind === 'key' ? undefined : outcomes[kind];

const rejection = ({ outcomes }: Client) => outcomes.unknown_key;

/** Returns whether the client reads the folder of the file. A file outside of client folders is not installed yet. */
function foundCell(client: Client, subject: Subject, isFolderOfSkill: IsFolderOfSkill): Cell {
  const { dirs } = client;
  const placed = placeIn(client, subject);
  if (!placed) return otherFolder(client, isPlacedAnywhere(subject));
  const { dir } = placed;
  const where = `\`${dir.path}\``;
  if (!isInDepth(placed)) return cell('no', tooDeep(client, placed, where));
  if (placed.hidden !== undefined && dir.hidden !== true) return hiddenFolder(client, dir, placed.hidden);
  const hiding = dir.nested === false ? skillAbove(subject, placed, isFolderOfSkill) : undefined;
  if (hiding !== undefined) return nestedFolder(client, hiding);
  const named = fileNameCell(client, subject);
  if (named.outcome !== 'yes') return named;
  const linked = linkCell(client, subject.link);
  if (linked && linked.outcome !== 'yes') return linked;
  if (dir.depth === 'unknown' && placed.depth !== 1) {
    return cell('unknown', reasonOf(client, dirs, `It is not known how deep the client searches ${where}`));
  }
  const text = dir.conditional
    ? `The client reads ${where} only in some cases: ${dir.base}`
    : `The client reads ${where}${openingCondition(dir)}`;
  return cell(
    dir.conditional ? 'unknown' : 'yes',
    reasonOf(client, withoutNote(dirs), text, dir.conditional ? { isOpen: true } : {}),
    ...named.reasons,
    ...(linked?.reasons ?? []),
  );
}

const openingCondition = ({ at }: ClientDir): string =>
  at === 'root'
    ? ' in the folder that it opens'
    : at === 'upward'
      ? ' in the folder that it opens and in its parents'
      : '';

/** Returns the folders of a workspace that the client always reads. */
export const foldersOf = ({ dirs }: Client): readonly string[] => [
  ...new Set(
    dirs.value.flatMap(({ at, path, conditional }) =>
      at === 'home' || at === 'elsewhere' || conditional ? [] : [path],
    ),
  ),
];

/** Returns a fact without its note, because the notes on a client's folders are about other folders. */
const withoutNote = ({ source, certainty }: Fact<unknown>) => ({ source, ...(certainty && { certainty }) });

function otherFolder(client: Client, isOthers: boolean): Cell {
  const list = foldersOf(client)
    .map((folder) => `\`${folder}\``)
    .join(', ');
  const reads =
    list === '' ? 'The client does not read folders in a workspace' : `In a workspace, the client reads ${list}`;
  const text = isOthers
    ? reads
    : `No client reads this folder. A client finds the skill only after it is installed in another folder. ${reads}`;
  const isKnown = isOthers && list !== '';
  return cell(
    isKnown ? 'no' : 'unknown',
    reasonOf(
      client,
      withoutNote(client.dirs),
      text,
      isKnown ? { cause: { kind: 'place' }, isLoss: true } : { isOpen: true },
    ),
  );
}

function tooDeep(client: Client, { dir, depth }: ClientPlacement, where: string): Reason {
  const fact = client.facts['find.depth'] ?? client.dirs;
  const levels = depth === 0 ? 'directly in' : `${depth} folders below`;
  const wanted = dir.depth === 1 ? 'one folder' : `${dir.depth} folders`;
  const text = `The file is ${levels} ${where}, but must be ${wanted} below it`;
  return reasonOf(client, withoutNote(fact), text, {
    cause: { kind: 'place', key: 'depth' },
    isLoss: true,
  });
}

/** Returns whether the client searches a folder whose name begins with a dot. */
function hiddenFolder(client: Client, { path, hidden }: ClientDir, name: string): Cell {
  const fact = withoutNote(client.facts['find.hidden'] ?? client.dirs);
  if (hidden === undefined) {
    return cell(
      'unknown',
      reasonOf(client, fact, `It is not known whether the client searches the folder \`${name}\``),
    );
  }
  const text = `The client ignores folders below \`${path}\` that begin with a dot, such as \`${name}\``;
  return cell('no', reasonOf(client, fact, text, { cause: { kind: 'place', key: 'hidden' }, isLoss: true }));
}

/** Returns the path of the `SKILL.md` in a folder above that of the file, up to and below the client's folder. */
function skillAbove(
  { uri, folders }: Subject,
  { dir, depth }: ClientPlacement,
  isFolderOfSkill: IsFolderOfSkill,
): string | undefined {
  const highest = dir.self ? depth : depth - 1;
  let folder = folderOf(uri);
  for (let up = 1; up <= highest; up++) {
    folder = folderOf(folder);
    if (isFolderOfSkill(folder)) return [dir.path, ...folders.slice(folders.length - depth, -up), 'SKILL.md'].join('/');
  }
  return undefined;
}

function nestedFolder(client: Client, hiding: string): Cell {
  const fact = withoutNote(client.facts['find.nested'] ?? client.dirs);
  const text = `It is hidden by \`${hiding}\`, because the client does not search the folder of a \`SKILL.md\` for others`;
  return cell('no', reasonOf(client, fact, text, { cause: { kind: 'place', key: 'nested' }, isLoss: true }));
}

/** Returns whether the client reads a file with this name. */
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
  if (outcome === 'yes') return cell('yes', reasonOf(client, fileName, `The client also reads \`${name}\``));
  const text =
    outcome === 'no'
      ? 'The client reads only `SKILL.md`'
      : 'It is not known whether the client reads a file with this name';
  return cell(
    outcome,
    reasonOf(client, fileName, text, { cause: { kind: 'file-name' }, ...(outcome === 'no' && { isLoss: true }) }),
  );
}

/** Returns true if the file is in a folder of any client. */
const isPlacedAnywhere = (subject: Subject): boolean =>
  clients.some((client) => {
    const placed = placeIn(client, subject);
    return placed !== undefined && !placed.dir.conditional;
  });
