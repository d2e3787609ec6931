/** Converts a skill between its formats (docs/exchange.md). */
import type { Analysis } from '../analysis/analysis.ts';
import { parseJson } from '../languages/yaml/json.ts';
import { nodeAt } from '../languages/yaml/node.ts';
import { kebabName, namesProblem } from '../skill/kebab-name.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf, span } from '../text.ts';
import { dialectOf, nameFromUri } from '../vocabulary/dialect.ts';
import { agentSkillToSkill } from './agent-skill-to-skill.ts';
import { type Conversion, type ConversionTarget, type Converted, type Loss, NO_SPAN } from './conversion.ts';
import { packageToSkill } from './package-to-skill.ts';
import { readRecord, recordOf } from './record.ts';
import { skillToAgentSkill } from './skill-to-agent-skill.ts';
import { skillToPackage } from './skill-to-package.ts';
import { type RecordLoss, type Written, writeRecord } from './write-record.ts';

export interface Source {
  readonly uri: string;
  readonly text: string;
}

/**
 * Converts a file. `analysis` provides the catalog, and the skills that the file composes. `clients` are the IDs of the
 * clients that read a `SKILL.md`. Refuses a result whose name is not allowed on some operating system.
 */
export function convert(
  source: Source,
  to: ConversionTarget,
  analysis: Analysis,
  clients?: readonly string[],
): Conversion {
  const made = ofSource(source, { to, analysis, clients });
  if ('problem' in made) return made;
  const refused = made.files.find(({ path }) => namesProblem(path) !== undefined);
  return refused ? { problem: `\`${refused.path}\` ${namesProblem(refused.path)}. Rename the skill.` } : made;
}

interface Wanted {
  readonly to: ConversionTarget;
  readonly analysis: Analysis;
  readonly clients: readonly string[] | undefined;
}

function ofSource(source: Source, wanted: Wanted): Conversion {
  const isJson = /\.json$/i.test(source.uri);
  const read = isJson ? readRecord(source.text) : undefined;
  if (read) return 'problem' in read ? read : ofRecord(source, writeRecord(read.record), wanted);
  if (dialectOf(source.uri) === undefined) {
    return { problem: 'It is not a skill. Specify a `.skill.md`, a `SKILL.md`, a contract, a package or a record.' };
  }
  return ofFile(wanted.analysis.file(source.uri) ?? new SkillFile(source.uri, source.text), wanted);
}

/** Converts a record: first to the file that it describes, then to the target. */
function ofRecord(source: Source, { uri, text, lost: left }: Written, wanted: Wanted): Conversion {
  const { to } = wanted;
  if (to === 'record') return { problem: 'It is already a record.' };
  const lost = placed(left, source.text);
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
  const beside = source.uri.slice(0, source.uri.lastIndexOf('/'));
  const file = new SkillFile(uri.replace('file://', beside), text);
  const isWanted =
    to === 'skill-md' ? file.dialect !== 'agent-skill' : to === 'agent-skill' && file.dialect === 'agent-skill';
  const folder = file.dialect === 'agent-skill' ? `${nameOf(file)}/` : '';
  if (isWanted || to === 'skill-md')
    return { files: [{ path: `${folder}${name}`, text }], losses: lost, isRestored: true };
  const made = ofFile(file, wanted);
  return 'problem' in made ? made : { ...made, losses: [...lost, ...atStart(made)] };
}

/** Returns the losses with their spans in the record. */
function placed(left: readonly RecordLoss[], text: string): readonly Loss[] {
  if (left.length === 0) return [];
  const { root } = parseJson(text, span(0, text.length));
  return left.map(({ path, ...one }) => ({ ...one, span: nodeAt(root, path)?.span ?? NO_SPAN }));
}

/** Returns the losses without spans, for text that exists only during the conversion. */
const atStart = ({ losses }: Converted): Converted['losses'] => losses.map((one) => ({ ...one, span: NO_SPAN }));

const nameOf = (file: SkillFile): string => kebabName(file.contract.name?.name ?? nameFromUri(file.uri)) ?? 'skill';

function ofFile(file: SkillFile, wanted: Wanted): Conversion {
  const { to, analysis, clients } = wanted;
  const { dialect } = file;
  if (dialect === 'catalog') return { problem: 'It is a catalog, which cannot be converted.' };
  if (to === 'record' && dialect !== 'package') return recordFileOf(file);
  if (dialect === 'package') {
    const made = packageToSkill(file);
    if (to === 'skill-md' || 'problem' in made) return made;
    if (to === 'package') return { problem: 'It is already a package.' };
    return convertAgain(file, made, wanted);
  }
  if (dialect === 'agent-skill') {
    if (to === 'agent-skill') return { problem: 'It is already a `SKILL.md`.' };
    const made = agentSkillToSkill(file);
    return to === 'skill-md' || 'problem' in made ? made : convertAgain(file, made, wanted);
  }
  if (to === 'package') return skillToPackage(file, nameOf(file));
  if (to === 'agent-skill') return skillToAgentSkill(file, analysis, clients);
  if (dialect === 'contract') return contractToSkill(file, nameOf(file));
  return { problem: 'It is already a `.skill.md`.' };
}

/** Converts the result of a first conversion to the target. Losses of this second step have no span in the source. */
function convertAgain(file: SkillFile, made: Converted, wanted: Wanted): Conversion {
  const [first] = made.files;
  if (!first) return made;
  const uri = `${file.uri.slice(0, file.uri.lastIndexOf('/'))}/${encodeURI(first.path)}`;
  const next = ofFile(new SkillFile(uri, first.text), wanted);
  return 'problem' in next ? next : { ...next, losses: [...made.losses, ...atStart(next)] };
}

function recordFileOf(file: SkillFile): Converted {
  const record = recordOf(file);
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  return { files: [{ path: `${nameOf(file)}.record.json`, text }], losses: [] };
}

/** Converts a contract to a `.skill.md`: adds the `---` lines of the frontmatter and an empty body. */
function contractToSkill({ text, frontmatter }: SkillFile, name: string): Conversion {
  const [problem] = frontmatter.tree.broken ? frontmatter.tree.problems : [];
  if (problem) return { problem: `Its YAML does not parse: ${problem.message}`, span: problem.span };
  const end = lineBreakOf(text);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const yaml = text.slice(mark.length).replace(/^---[ \t]*(?:\r\n|\r|\n)/, '');
  const last = /[\r\n]$/.test(yaml) ? '' : end;
  return { files: [{ path: `${name}.skill.md`, text: `${mark}---${end}${yaml}${last}---${end}` }], losses: [] };
}
