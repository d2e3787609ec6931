/** Code actions for the fixes of findings: quick fixes in a range, and `source.fixAll`. */
import {
  type CodeAction,
  CodeActionKind,
  type Command,
  type TextEdit as LspEdit,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { packageToSkill } from '../../exchange/package-to-skill.ts';
import type { Finding, Fix } from '../../finding.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import { check } from '../../rules/engine/check.ts';
import { findRule } from '../../rules/engine/index.ts';
import { namesProblem } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  applyEdits,
  asTitle,
  contains,
  findTouching,
  lineAt,
  lineBreakOf,
  lineStartsOf,
  span,
  spanOf,
} from '../../text.ts';
import { folderOf, isJsonDialect } from '../../vocabulary/dialect.ts';
import { toDiagnostic } from '../diagnostics.ts';
import type { Locate } from '../locate.ts';
import { FIX_ALL } from './action-kinds.ts';
import { chooseClientsAction, isAboutTargets } from './choose-clients.ts';
import { compareActions } from './compare-skills.ts';
import { safeEdits } from './fix-all.ts';
import { type NewSkill, newSkillFor } from './new-skill.ts';
import { shorteningFixes } from './shorten-description.ts';

/** Returns the text of a new skill. */
export type NewSkillText = (skill: NewSkill) => string | undefined;

/** The operations on files that the client performs in an edit. */
export interface FileClient {
  /** Undefined if the client cannot create files. */
  readonly textOfNew?: NewSkillText | undefined;
  readonly renamesFiles?: boolean;
}

/** The commands of the client that actions run. */
export interface ActionCommands {
  /** Selects the placeholder that a fix inserts; the argument is `{uri, range}`. */
  readonly select?: string | undefined;
  /** Makes skills available to clients; the argument is `{skills, clients}`. */
  readonly share?: string | undefined;
  /** Lists the clients of a file; the argument is `{uri}`. */
  readonly chooseClients?: string | undefined;
  /** Shows two files side by side; the argument is `{left, right}`. */
  readonly compare?: string | undefined;
}

/** Returns whether a fix that touches `range` creates a skill. */
export const offersNewSkill = (analysis: Analysis, file: SkillFile, range: Range, locate: Locate): boolean =>
  touching(check(file, analysis), file, range, locate).some(({ fixes }) =>
    fixes.some(({ creates }) => creates !== undefined),
  );

/**
 * Returns the actions that touch `range`, first the fixes of all findings, then their suppressions. `only` contains the
 * kinds that the client requests; undefined means all kinds. `findings` are those of the file.
 */
export function codeActions(
  analysis: Analysis,
  file: SkillFile,
  range: Range,
  only: readonly string[] | undefined,
  locate: Locate,
  files: FileClient = {},
  { select: selectCommand, share: shareCommand, chooseClients, compare }: ActionCommands = {},
  findings = check(file, analysis),
): CodeAction[] {
  const isRequested = (kind: string) => !only || only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));
  const here = touching(findings, file, range, locate);
  const diagnosticOf = (finding: Finding) => toDiagnostic(analysis, file, finding, locate);
  const actionsFor = (of: readonly Finding[], fixes: readonly Fix[], prefersFirst: boolean) =>
    quickFixes(analysis, file, of, { fixes, prefersFirst }, locate, { files, selectCommand, shareCommand });
  return [
    ...(isRequested(CodeActionKind.QuickFix)
      ? [
          ...here.flatMap((one) => {
            const shortening = shorteningFixes(analysis, file, one);
            const isOnly = shortening.length === 1 && one.fixes.length === 0;
            return [...actionsFor([one], one.fixes, true), ...actionsFor([one], shortening, isOnly)];
          }),
          ...chooseClientsAction(chooseClients, file.uri, here.filter(isAboutTargets).map(diagnosticOf)),
          ...here.flatMap((one) => compareActions(compare, analysis, file.uri, one, diagnosticOf(one))),
          ...suppressions(file, here).flatMap(([fix, suppressed]) => actionsFor(suppressed, [fix], false)),
        ]
      : []),
    // `source.fixAll` is returned only if the client requests it.
    ...(only && isRequested(FIX_ALL) ? fixAll(analysis, file, findings, locate) : []),
  ];
}

function touching(findings: readonly Finding[], file: SkillFile, range: Range, locate: Locate): readonly Finding[] {
  const start = locate.offset(file, range.start);
  const end = locate.offset(file, range.end);
  return findings.filter(({ span }) => span.start <= end && start <= span.end);
}

/** Returns one suppression for all findings of a rule on a line, with these findings. */
function suppressions(file: SkillFile, findings: readonly Finding[]): readonly (readonly [Fix, readonly Finding[]])[] {
  const keyOf = ({ rule, span }: Finding): string => `${lineAt(file.lines, span.start)} ${rule}`;
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) groups.set(keyOf(finding), [...(groups.get(keyOf(finding)) ?? []), finding]);
  return [...groups.values()].flatMap((group) => {
    const fix = group[0] && suppressionFix(file, group[0]);
    return fix ? [[fix, group] as const] : [];
  });
}

/** Returns the actions of fixes for one or several findings. */
function quickFixes(
  analysis: Analysis,
  file: SkillFile,
  findings: readonly Finding[],
  { fixes, prefersFirst }: { readonly fixes: readonly Fix[]; readonly prefersFirst: boolean },
  locate: Locate,
  client: {
    readonly files: FileClient;
    readonly selectCommand: string | undefined;
    readonly shareCommand: string | undefined;
  },
): CodeAction[] {
  const { files, selectCommand, shareCommand } = client;
  const { textOfNew, renamesFiles = false } = files;
  const diagnostics = findings.map((finding) => toDiagnostic(analysis, file, finding, locate));
  const editOf = ({ edits, creates, createsFile, moves, shares }: Fix): WorkspaceEdit | undefined => {
    if (shares) return undefined;
    if (moves) {
      return renamesFiles ? { documentChanges: [{ kind: 'rename', oldUri: moves.from, newUri: moves.to }] } : undefined;
    }
    if (createsFile) return textOfNew && creation(createsFile);
    if (creates === undefined) return toWorkspaceEdit(analysis, edits, locate);
    const skill = newSkillFor(analysis, file, creates);
    const text = skill && textOfNew?.(skill);
    return skill && text !== undefined ? creation({ uri: skill.uri, text }) : undefined;
  };
  return fixes.flatMap((fix, number): CodeAction[] => {
    if (fix.shares && shareCommand !== undefined) {
      const title = asTitle(fix.title);
      const command = { title, command: shareCommand, arguments: [fix.shares] };
      const action = { title, kind: CodeActionKind.QuickFix, diagnostics, command };
      return [prefersFirst ? { ...action, isPreferred: number === 0 } : action];
    }
    const edit = editOf(fix);
    if (!edit) return [];
    const command = selectCommand === undefined ? undefined : selection(file, fix, locate, selectCommand);
    const action = {
      ...{ title: asTitle(fix.title), kind: CodeActionKind.QuickFix, diagnostics, edit },
      ...(command && { command }),
    };
    return [prefersFirst ? { ...action, isPreferred: number === 0 } : action];
  });
}

/** Returns the command that selects the placeholder of a fix in the changed file. */
function selection({ uri, text: before }: SkillFile, fix: Fix, locate: Locate, command: string): Command | undefined {
  const { placeholder, edits: files } = fix;
  if (placeholder === undefined) return undefined;
  const edits = files.flatMap((file) => (file.uri === uri ? file.edits : []));
  const written = edits.find(({ newText }) => newText.includes(placeholder));
  if (!written) return undefined;
  const earlier = edits.filter((edit) => edit.span.end <= written.span.start && edit !== written);
  const grown = earlier.reduce((sum, { span: { start, end }, newText }) => sum + newText.length - (end - start), 0);
  const start = written.span.start + grown + written.newText.indexOf(placeholder);
  const text = applyEdits(before, edits);
  const range = locate.range({ text, lines: lineStartsOf(text) }, span(start, start + placeholder.length));
  return { title: 'Select the placeholder', command, arguments: [{ uri, range }] };
}

function creation({ uri, text }: { readonly uri: string; readonly text: string }): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      { kind: 'create', uri, options: { overwrite: false, ignoreIfExists: false } },
      { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
    ],
  };
}

function fixAll(analysis: Analysis, file: SkillFile, findings: readonly Finding[], locate: Locate): CodeAction[] {
  const edits = safeEdits(file.uri, findings);
  if (edits.length === 0) return [];
  const edit = toWorkspaceEdit(analysis, [{ uri: file.uri, edits }], locate);
  return [{ title: 'Apply all safe fixes', kind: FIX_ALL, edit }];
}

export function toWorkspaceEdit(analysis: Analysis, files: Fix['edits'], locate: Locate): WorkspaceEdit {
  const changes: Record<string, LspEdit[]> = {};
  for (const { uri, edits } of files) {
    const file = analysis.file(uri);
    if (!file) continue;
    const converted = edits.map(({ span, newText }) => ({ range: locate.range(file, span), newText }));
    changes[uri] = [...(changes[uri] ?? []), ...converted];
  }
  return { changes };
}

/**
 * Returns the fix that adds a suppression comment above a finding (docs/format.md, section 6). Returns undefined where
 * a comment is not possible: in JSON, above the frontmatter, in code, templates and comments, and inside a multi-line
 * scalar.
 */
export function suppressionFix(file: SkillFile, { rule, span: place }: Finding): Fix | undefined {
  const { text, lines, uri, body, frontmatter } = file;
  if (isJsonDialect(file.dialect) || findRule(rule)?.isSuppressible === false) return undefined;
  const start = Math.max(lines[lineAt(lines, place.start)] ?? 0, text.startsWith('\uFEFF') ? 1 : 0);
  const trees = [frontmatter.tree, ...file.metadata.map(({ tree }) => tree)];
  const tree = trees.find((candidate) => contains(candidate.span, place));
  if (tree ? tree.root && isInText(tree.root, start) : start < frontmatter.bodyStart) return undefined;
  const isInCode = body?.fences.some(({ contentSpan }) => contentSpan.start <= start && start < contentSpan.end);
  const isInComment = body?.htmlComments.some((one) => one.span.start < start && start < one.span.end);
  if (!tree && (isInCode || isInComment)) return undefined;
  // A suppression does not apply to an empty line.
  if (/^[ \t]*(?:[\r\n]|$)/.test(text.slice(start, start + 1000))) return undefined;
  const indent = /^[ \t]*/.exec(text.slice(start, place.start))?.[0] ?? '';
  const directive = `skill-disable-next-line ${rule}`;
  const comment = tree ? `# ${directive}` : `<!-- ${directive} -->`;
  const edits = [{ span: span(start, start), newText: indent + comment + lineBreakOf(text) }];
  // In indented code, the text would not be a comment.
  const line = lineAt(lines, start) + 1;
  const { suppressions } = file.edited(applyEdits(text, edits));
  if (!suppressions.some((one) => one.rule === rule && one.line === line)) return undefined;
  return { title: `Suppress \`${rule}\` here`, safe: false, edits: [{ uri, edits }] };
}

/** Returns whether an offset is inside a scalar, where a comment would become part of the text. */
function isInText(node: YamlNode, offset: number): boolean {
  if (offset <= node.span.start || offset >= node.span.end) return false;
  if (node.kind === 'scalar') return true;
  if (node.kind === 'list') {
    const item = findTouching(node.items, offset, spanOf);
    return item !== undefined && isInText(item, offset);
  }
  const entry = findTouching(node.entries, offset, spanOf);
  return entry !== undefined && (isInText(entry.key, offset) || isInText(entry.value, offset));
}

/** Returns the action that converts a legacy package to a skill in the same folder. Never overwrites a file. */
export function convertPackage(file: SkillFile, only: readonly string[] | undefined): CodeAction[] {
  if (file.dialect !== 'package') return [];
  const kinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite];
  const kind = only
    ? kinds.find((one) => only.some((asked) => one === asked || one.startsWith(`${asked}.`)))
    : kinds[0];
  const made = kind === undefined ? undefined : packageToSkill(file);
  const [first] = made && 'files' in made ? made.files : [];
  if (kind === undefined || !first || namesProblem(first.path) !== undefined) return [];
  const uri = `${folderOf(file.uri)}/${encodeURIComponent(first.path)}`;
  return [{ title: `Convert to ‘${first.path}’`, kind, edit: creation({ uri, text: first.text }) }];
}
