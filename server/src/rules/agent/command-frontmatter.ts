import type { Analysis } from '../../analysis/analysis.ts';
import { pluginIn } from '../../analysis/client-tools.ts';
import { isCommand, targetClients, targetsBeside } from '../../analysis/targets.ts';
import type { AgentFault } from '../../clients/agents/agent-faults.ts';
import { commandFaults, commandKey } from '../../clients/agents/command-faults.ts';
import type { Client } from '../../clients/facts/client.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { stepsOf } from '../../clients/matrix/prediction.ts';
import { pathOf } from '../../clients/matrix/subject.ts';
import type { Manifest } from '../../clients/pipeline/plugin-rules.ts';
import { FileReader } from '../../clients/pipeline/read.ts';
import { isStop } from '../../clients/pipeline/reading.ts';
import { firstOf } from '../../clients/pipeline/setting.ts';
import type { Draft } from '../../finding.ts';
import { findValue, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { kebabName } from '../../skill/kebab-name.ts';
import { missingKeySpan, type SkillFile } from '../../skill/skill-file.ts';
import { isPluginOfClaude } from '../../skill-folder/plugins.ts';
import { agentSkillKeys } from '../../vocabulary/agent-skill-keys.ts';
import { clientFileOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS, explanationFor, fixesForFrontmatter } from './agent-findings.ts';
import { draftOfKey, misspeltKeysIn } from './misspelt-keys.ts';

/**
 * A command whose frontmatter Claude Code cannot read, or that has a misspelt key, or a command that Copilot CLI does not
 * load. Claude Code reads a command as it reads a skill.
 */
export const commandFrontmatter: Rule = {
  name: 'command-frontmatter',
  severity: 'warning',
  ...ABOUT_AGENTS,
  readsBroken: true,
  *check(file, analysis) {
    if (!isCommand(analysis, file.uri)) return;
    const refused = isForCopilot(file, analysis) ? commandFaults(file.text) : [];
    const [client] = targetClients(analysis, file);
    const unread = client && unreadDraft(file, client, refused.length > 0);
    if (unread) return yield unread;
    for (const fault of refused) yield draftOfRefused(file, fault);
    if (isForCopilot(file, analysis) && clientFileOf(file.uri)?.below) yield draftOfSubfolder(file);
    if (!client) return;
    yield* spaceInName(file, analysis, client);
    if (clientFileOf(file.uri)?.root.endsWith('/.claude') === false) yield* inPlugin(file, analysis, client);
    else if (!isForCopilot(file, analysis)) yield* nameWithoutEffect(file, client);
    const keys = new Set(refused.map(({ cause }) => cause.key));
    yield* wrongTypes(file, client, keys);
    yield* misspeltKeys(file, client);
  },
};

/** Returns whether the author chose Copilot CLI, which reads the commands in `.claude/commands`. */
function isForCopilot({ uri }: SkillFile, analysis: Analysis): boolean {
  const { clients, isChosen } = targetsBeside(analysis, uri);
  const isRead = clientFileOf(uri)?.root.endsWith('/.claude') === true && !analysis.partial;
  return isRead && isChosen && clients.some(({ id }) => id === 'copilot-cli');
}

const draftOfRefused = (file: SkillFile, { cause }: AgentFault): Draft => ({
  span: spanOfCause(file, cause),
  message: `${COPILOT} does not load this command. ${explanationFor(cause, commandKey(cause.key))}`,
  fixes: cause.code.startsWith('fields/') ? [] : fixesForFrontmatter(file, cause),
});

const draftOfSubfolder = (file: SkillFile): Draft => ({
  span: missingKeySpan(file),
  message: `${COPILOT} loads no commands in subfolders of \`commands\`. Move the file, or use a skill instead.`,
});

/**
 * Reports a command of a plugin that is not in the list of the model, or that the manifest leaves out, so that it is not loaded
 * (observed: Claude Code 2.1.332). The manifest may also describe a command.
 */
function* inPlugin(file: SkillFile, analysis: Analysis, { name: client }: Client): Iterable<Draft> {
  const folder = clientFileOf(file.uri)?.root ?? '';
  const isOfClaude = analysis.plugins.all.some((plugin) => plugin.root === folder && isPluginOfClaude(plugin));
  const { commands = [], manifests = [] } = (isOfClaude && pluginIn(analysis, folder)) || {};
  const own = commands.filter(({ path }) => path === pathOf(file.uri));
  if (own.length === 0) {
    const manifest = manifests.find(({ path }) => path === '.claude-plugin/plugin.json');
    if (manifest?.commands?.every(({ path = './' }) => path.startsWith('./'))) yield draftOfUnlisted(file, manifest);
    return;
  }
  const { root } = file.frontmatter.tree;
  const [description, hidden] = [findValue(root, 'description'), findValue(root, 'disable-model-invocation')];
  const isHidden = hidden && !(hidden.kind === 'scalar' && hidden.value === false);
  const hasValue = description && !isNull(description) && stringOf(description)?.trim() !== '';
  if (isHidden || hasValue || own.some(({ isDescribed }) => isDescribed)) return;
  yield {
    span: description?.span ?? missingKeySpan(file),
    severity: 'hint',
    message: `${client} does not show this command to its model, because it is in a plugin and has no \`description\`. Add it.`,
  };
}

const draftOfUnlisted = (file: SkillFile, { name = '' }: Manifest): Draft => ({
  span: missingKeySpan(file),
  severity: 'hint',
  message: `Claude Code does not load this command, because \`commands\` in the manifest of \`${name.slice(0, 100)}\` does not list it. Add it there, or remove that key.`,
});

/** Reports a name that differs from that of the file, by which the client calls a command of a project. */
function* nameWithoutEffect(file: SkillFile, { name: client }: Client): Iterable<Draft> {
  const value = findValue(file.frontmatter.tree.root, 'name');
  const { name = '', below = '' } = clientFileOf(file.uri) ?? {};
  const written = stringOf(value);
  if (!value || written === undefined || written === name) return;
  const call = [...(below === '' ? [] : below.split('/')), name].join(':');
  yield {
    span: value.span,
    severity: 'hint',
    message: `${client} calls this command \`/${call.slice(0, 100)}\`, after its file, and ignores \`name\`. Rename the file, or remove the key.`,
  };
}

/** Reports a space in the name of the file, which is the name of the command (observed: Claude Code 2.1.332). */
function* spaceInName({ uri }: SkillFile, { index }: Analysis, { name: client }: Client): Iterable<Draft> {
  const name = clientFileOf(uri)?.name ?? '';
  if (!/\s/.test(name)) return;
  const own = kebabName(name);
  const to = `${folderOf(uri)}/${own}.md`;
  const fix = { title: `Rename to \`${own}.md\``, safe: false, edits: [], moves: { from: uri, to } };
  yield {
    span: { start: 0, end: 0 },
    severity: 'hint',
    message: `People cannot call this command in ${client}, because its name contains a space. Rename the file.`,
    fixes: own === undefined || index.files.has(to) ? [] : [fix],
  };
}

const COPILOT = findClient('copilot-cli')?.name ?? '';

const isText = (node: YamlNode): boolean => node.kind === 'scalar' && typeof node.value === 'string';
const isNull = (node: YamlNode): boolean => node.kind === 'scalar' && node.value === null;

/** Reports values that are errors of `claude plugin validate` (observed: Claude Code 2.1.332, 2026-11-30). */
function* wrongTypes(file: SkillFile, { name }: Client, reported: ReadonlySet<string | undefined>): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const description = findValue(root, 'description');
  if (description && description.kind !== 'scalar' && !reported.has('description'))
    yield { span: description.span, message: `\`description\` must be a text. ${name} ignores this value.` };
  const tools = findValue(root, 'allowed-tools');
  const isRight = !tools || isText(tools) || isNull(tools) || (tools.kind === 'list' && tools.items.every(isText));
  if (!isRight && !reported.has('allowed-tools'))
    yield {
      span: tools.span,
      message: '`allowed-tools` must be a text or a list of texts. `claude plugin validate` refuses this value.',
    };
}

/** Returns the finding for a frontmatter that the client replaces with the first line of the file. */
function unreadDraft(file: SkillFile, client: Client, isRefused: boolean): Draft | undefined {
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
    message: `${client.name} ignores the frontmatter of this command${isRefused ? `, and ${COPILOT} does not load it` : ''}. ${explanationFor(cause, undefined)}`,
    fixes: fixesForFrontmatter(file, cause),
  };
}

function* misspeltKeys(file: SkillFile, { keys }: Client): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const known = [...keys.map(({ name }) => name), ...agentSkillKeys.map(({ name }) => name)];
  for (const misspelt of misspeltKeysIn(root, known)) yield draftOfKey(file, root, misspelt);
}
