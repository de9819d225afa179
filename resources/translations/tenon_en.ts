<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- English needs its plural forms only. Bring up to date with: lupdate -pluralonly ui app -ts resources/translations/tenon_en.ts -->
<TS version="2.1" language="en_US">
<context>
    <name>tenon::ui::TopBar</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation><numerusform>%n problem</numerusform><numerusform>%n problems</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation><numerusform>%n warning</numerusform><numerusform>%n warnings</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation><numerusform>CPU, %n thread</numerusform><numerusform>CPU, %n threads</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::SessionNotices</name>
    <message numerus="yes">
        <source>The training cannot start: %n problem(s)</source>
        <translation><numerusform>The training cannot start: %n problem</numerusform><numerusform>The training cannot start: %n problems</numerusform></translation>
    </message>
</context>
</TS>
