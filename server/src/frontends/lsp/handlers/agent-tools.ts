/**
 * Runs the tools of the authoring server for the editor's agents. In the editor, these tools also read unsaved text.
 */
import type { Connection } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { invocationContextOf } from '../../../analysis/package-of.ts';
import { findSkill } from '../../../authoring/list-skills.ts';
import { isRefused, type Refusal, refusal } from '../../../authoring/refusal.ts';
import { shortened } from '../../../authoring/shortened.ts';
import { prepareRequest } from '../../../composer/prepare.ts';
import { isObject } from '../../../languages/schema/schema.ts';
import type { Json } from '../../../languages/yaml/node.ts';
import { type AgentToolReply, AgentToolRequest } from '../../../protocol.ts';
import { findingsIn, placed } from '../../../reports/json.ts';
import { matchReport, matchView, USUAL_TOP } from '../../../reports/match.ts';
import { check } from '../../../rules/engine/check.ts';
import { checkedPackageOf } from '../../../rules/engine/checked-package.ts';
import { knownNames } from '../../../services/composing/compose-samples.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { Session } from '../../../services/session/session.ts';
import { onRequest } from './guard.ts';

interface AgentInput {
  readonly skill?: string;
  readonly version?: string;
  readonly text?: string;
  readonly file?: string;
  readonly sample?: string;
  readonly request?: string;
  readonly parameters?: Readonly<Record<string, Json>>;
}

export function handleAgentTools(connection: Connection, session: Session, composing: Composing): void {
  let calls = 0;
  onRequest(connection, AgentToolRequest, async ({ tool, input, folders }) => {
    await session.read();
    const asked = readInput(input);
    const fileOf = nameIn(folders);
    if (tool === 'match') return answer(matched(session.analysis, asked, fileOf));
    const subject = subjectOf(session.analysis, asked, folders);
    if (isRefused(subject)) return answer(subject);
    if (tool === 'check') return answer(checked(subject, fileOf));
    return answer(await composed(subject, asked, fileOf, composing, `agent ${calls++}`));
  });
}

const answer = (result: object): AgentToolReply => ({ ok: !isRefused(result), ...shortened(result) });

/** Ignores values of the wrong type. */
function readInput(input: unknown): AgentInput {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return Object.fromEntries(
    given.filter(([key, value]) => (key === 'parameters' ? isObject(value as Json) : typeof value === 'string')),
  );
}

/** Returns the path of a file relative to its workspace folder. */
const nameIn =
  (folders: readonly string[]) =>
  (uri: string): string => {
    const folder = folders.find((one) => uri.startsWith(`${one}/`));
    return folder === undefined ? uri : decodeURIComponent(uri.slice(folder.length + 1));
  };

interface Subject {
  readonly analysis: Analysis;
  readonly uri: string;
}

/** Returns the subject of a call: the named skill, the file or the unsaved text. */
function subjectOf(
  analysis: Analysis,
  { skill, version, text, file }: AgentInput,
  folders: readonly string[],
): Subject | Refusal {
  const [folder = 'untitled:'] = folders;
  if (text !== undefined) {
    const uri = uriIn(folder, file ?? 'unsaved.skill.md');
    return { analysis: analysis.edited([{ uri, text }]), uri };
  }
  if (file !== undefined) {
    const found = folders.map((one) => uriIn(one, file)).find((uri) => analysis.file(uri));
    return found === undefined
      ? refusal('no-such-skill', `File \`${file}\` does not exist or is not a skill.`)
      : { analysis, uri: found };
  }
  if (skill === undefined) return refusal('invalid-argument', 'Pass `skill`, `file` or `text`.');
  const found = findSkill(analysis, skill, version);
  return isRefused(found) ? found : { analysis, uri: found.uri };
}

const uriIn = (folder: string, file: string): string =>
  `${folder}/${file.split('/').map(encodeURIComponent).join('/')}`;

type FileOf = (uri: string) => string;

function checked({ analysis, uri }: Subject, fileOf: FileOf): object {
  const file = analysis.file(uri);
  if (!file?.isSkill)
    return refusal(
      'no-such-skill',
      `\`${fileOf(uri)}\` is not a skill: its frontmatter must have \`name\` and \`description\`.`,
    );
  const findFile = (other: string) => {
    const text = analysis.file(other)?.text;
    return text === undefined ? undefined : { file: fileOf(other), text };
  };
  const findings = check(file, analysis);
  return {
    file: fileOf(uri),
    findings: findingsIn({ files: [{ file: fileOf(uri), text: file.text, findings }], findFile }),
  };
}

async function composed(
  { analysis, uri }: Subject,
  { sample, request, parameters }: AgentInput,
  fileOf: FileOf,
  composing: Composing,
  key: string,
): Promise<object> {
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage)
    return refusal(
      'not-composed',
      `\`${fileOf(uri)}\` is not a skill: its frontmatter must have \`name\` and \`description\`.`,
    );
  const { samples } = skillPackage;
  if (sample !== undefined && !samples.some(({ name }) => name === sample)) {
    return refusal(
      'no-such-sample',
      `Unknown sample \`${sample}\`.${knownNames(
        sample,
        samples.map(({ name }) => name),
        'samples',
      )}`,
    );
  }
  const chosen = sample ?? (parameters === undefined && samples.length === 1 ? samples[0]?.name : undefined);
  const prepared = prepareRequest(skillPackage, invocationContextOf(analysis, uri), chosen, {
    ...(request === undefined ? {} : { request }),
    ...(parameters === undefined ? {} : { parameters }),
    madeUp: chosen === undefined,
  });
  const reply = await composing.compose(key, prepared.request);
  if (reply === 'superseded') return refusal('cancelled', 'The server is shutting down.');
  const { result } = reply;
  const shown = placed(analysis, fileOf, result) as object;
  if (result.ok) return { ...shown, sample: chosen ?? null, made_up: prepared.request.madeUp };
  return { ...shown, ...refusal('not-composed', result.errors[0]?.message ?? 'The skill does not compose.') };
}

function matched(analysis: Analysis, { request = '' }: AgentInput, fileOf: FileOf): object {
  if (request.trim() === '') return refusal('invalid-argument', "Pass `request`, the user's request.");
  return matchReport(matchView(analysis, { request, top: USUAL_TOP, source: 'agent-selected' }), fileOf);
}
