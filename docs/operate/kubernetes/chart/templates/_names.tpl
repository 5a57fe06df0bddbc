{{- define "quern.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
{{- define "quern.selector" -}}
app.kubernetes.io/name: quern
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.labels" -}}
{{ include "quern.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
