import { isCommand, targetClients } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { stepsOf } from '../../clients/matrix/prediction.ts';
import { FileReader } from '../../clients/pipeline/read.ts';
import { isStop } from '../../clients/pipeline/reading.ts';
import { firstOf } from '../../clients/pipeline/setting.ts';
import { type Draft, fixHere } from '../../finding.ts';
import { renameKey } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, type YamlNode } from '../../languages/yaml/node.ts';
import { closestSlip, closestTypo, didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { agentSkillKeys } from '../../vocabulary/agent-skill-keys.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS, explanationFor, fixesForFrontmatter } from './agent-findings.ts';

/** A command whose frontmatter Claude Code cannot read, or that has a misspelt key. It reads a command as it reads a skill. */
export const commandFrontmatter: Rule = {
  name: 'command-frontmatter',
  severity: 'warning',
  ...ABOUT_AGENTS,
  readsBroken: true,
  *check(file, analysis) {
    if (!isCommand(analysis, file.uri)) return;
    const [client] = targetClients(analysis, file);
    if (!client) return;
    const unread = unreadDraft(file, client);
    if (unread) yield unread;
    else {
      yield* wrongTypes(file, client);
      yield* misspeltKeys(file, client);
    }
  },
};

const isText = (node: YamlNode): boolean => node.kind === 'scalar' && typeof node.value === 'string';
const isNull = (node: YamlNode): boolean => node.kind === 'scalar' && node.value === null;

/** Reports values that are errors of `claude plugin validate` (observed: Claude Code 2.1.332, 2026-11-30). */
function* wrongTypes(file: SkillFile, { name }: Client): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const description = findValue(root, 'description');
  if (description && description.kind !== 'scalar')
    yield { span: description.span, message: `\`description\` must be a text. ${name} ignores this value.` };
  const tools = findValue(root, 'allowed-tools');
  const isRight = !tools || isText(tools) || isNull(tools) || (tools.kind === 'list' && tools.items.every(isText));
  if (!isRight)
    yield {
      span: tools.span,
      message: '`allowed-tools` must be a text or a list of texts. `claude plugin validate` refuses this value.',
    };
}

/** Returns the finding for a frontmatter that the client replaces with the first line of the file. */
function unreadDraft(file: SkillFile, client: Client): Draft | undefined {
  const steps = stepsOf(client);
  const reader = new FileReader(file.text);
  const reading = reader.read(steps, firstOf);
  if (!isStop(reading) && (!reading.isRepaired || reading.keys.size > 0)) return undefined;
  const stop = isStop(reading) ? reading : reader.causeOfRepair(steps, firstOf);
  // A command needs no frontmatter.
  if (!stop || (stop.code === 'open/no-frontmatter' && !file.frontmatter.open)) return undefined;
  const cause = { code: stop.code, at: stop.at, ...(stop.key !== undefined && { key: stop.key }) };
  return {
    span: spanOfCause(file, cause),
    message: `${client.name} ignores the frontmatter of this command. ${explanationFor(cause, undefined)}`,
    fixes: fixesForFrontmatter(file, cause),
  };
}

function* misspeltKeys(file: SkillFile, { keys }: Client): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  if (root?.kind !== 'map') return;
  const known = [...keys.map(({ name }) => name), ...agentSkillKeys.map(({ name }) => name)];
  const written = new Set(root.entries.map(({ key }) => String(key.value)));
  const free = known.filter((name) => !written.has(name));
  for (const { key } of mapEntries(root)) {
    const name = String(key.value);
    const meant = known.includes(name) ? undefined : (closestSlip(name, free) ?? closestTypo(name, free));
    if (meant === undefined) continue;
    yield {
      span: key.span,
      message: `Unknown key \`${name.slice(0, 100)}\`.${didYouMean([meant])}`,
      fixes: fixHere(file, `Rename to \`${meant}\``, renameKey(file.text, root, name, meant)),
    };
  }
}
