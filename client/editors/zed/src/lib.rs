//! Starts `skill-composer lsp --stdio` for Markdown and YAML, and passes it the settings.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result, Worktree};

struct SkillComposer;

fn settings(id: &LanguageServerId, worktree: &Worktree) -> Option<LspSettings> {
    LspSettings::for_worktree(id.as_ref(), worktree).ok()
}

impl zed::Extension for SkillComposer {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<zed::Command> {
        let binary = settings(id, worktree).and_then(|settings| settings.binary);
        let (path, arguments) = match binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path.or_else(|| worktree.which("skill-composer")).ok_or(
            "`skill-composer` is not on the PATH: install it, or set `lsp.skill-composer.binary`.",
        )?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into(), "--stdio".into()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(settings(id, worktree).and_then(|settings| settings.initialization_options))
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let given = settings(id, worktree).and_then(|settings| settings.settings);
        Ok(given.map(|settings| serde_json::json!({ "skillComposer": settings })))
    }
}

zed::register_extension!(SkillComposer);
