;;; skill-composer.el --- Skill files by their language server  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1") (eglot "1.9") (markdown-mode "2.5") (yaml-mode "0.0.15"))

;;; Commentary:

;; Modes of their own leave other Markdown and YAML files to the servers that are used for them.

;;; Code:

(require 'eglot)
(require 'markdown-mode)
(require 'yaml-mode)

(defgroup skill-composer nil "Skill files." :group 'tools)

(defcustom skill-composer-command '("skill-composer" "lsp" "--stdio")
  "What starts the language server."
  :type '(repeat string))

(defcustom skill-composer-settings nil
  "Settings for the language server, as a plist: docs/editors.md, \"Settings\"."
  :type 'plist)

(defvar yas-indent-line)

;; YAML has no tabs. The server indents snippets; yasnippet would indent each line as the mode does.
(defun skill-composer--indent-as-yaml () (setq-local indent-tabs-mode nil yas-indent-line nil))

;;;###autoload
(define-derived-mode skill-mode markdown-mode "Skill" (skill-composer--indent-as-yaml))

;;;###autoload
(define-derived-mode skill-yaml-mode yaml-mode "Skill YAML" (skill-composer--indent-as-yaml))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.skill\\.md\\'\\|/SKILL\\.md\\'\\|/skills/[^/]+\\.md\\'" . skill-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.skill\\.ya?ml\\'\\|/skills\\.config\\.yaml\\'" . skill-yaml-mode))

;; In text modes, these keys complete words of a dictionary.
(dolist (map (list skill-mode-map skill-yaml-mode-map)) (define-key map (kbd "C-M-i") #'completion-at-point))

(add-to-list 'eglot-server-programs
             (cons '((skill-mode :language-id "markdown") (skill-yaml-mode :language-id "yaml"))
                   (lambda (&rest _)
                     (if skill-composer-settings
                         (append skill-composer-command (list :initializationOptions skill-composer-settings))
                       skill-composer-command))))

(add-hook 'skill-mode-hook #'eglot-ensure)
(add-hook 'skill-yaml-mode-hook #'eglot-ensure)

(provide 'skill-composer)
;;; skill-composer.el ends here
